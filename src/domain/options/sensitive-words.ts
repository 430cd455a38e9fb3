/** Options of sensitive words. */
import { z } from 'zod'
import { PATTERN_PREFIX } from '../../contracts/option.ts'
import { isPattern } from '../../pure/regex-set.ts'
import { flag, lines, section } from './declare.ts'

const claimsPattern = (line: string) => line.startsWith(PATTERN_PREFIX)

/** Words are matched in lower case; patterns as they are written. */
const Words = z.array(
  z
    .string()
    .overwrite(word => (claimsPattern(word) ? word : word.toLowerCase()))
    .refine(word => !claimsPattern(word) || isPattern(word.slice(PATTERN_PREFIX.length)), 'option.bad_pattern'),
)

export const sensitiveWords = section({
  tab: 'operation',
  options: {
    CheckSensitiveEnabled: flag(true),
    CheckSensitiveOnPromptEnabled: flag(true),
    SensitiveWords: lines(['test_sensitive'], Words),
  },
})
