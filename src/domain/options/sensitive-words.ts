/** Options of sensitive words. */
import { z } from 'zod'
import { PATTERN_PREFIX } from '../../contracts/option.ts'
import { isPattern } from '../../pure/regex-set.ts'
import { flag, lines, section } from './declare.ts'

const hasPatternPrefix = (line: string) => line.startsWith(PATTERN_PREFIX)

/** Words are stored in lower case, patterns unchanged. */
const Words = z.array(
  z
    .string()
    .overwrite(word => (hasPatternPrefix(word) ? word : word.toLowerCase()))
    .refine(word => !hasPatternPrefix(word) || isPattern(word.slice(PATTERN_PREFIX.length)), 'option.bad_pattern'),
)

export const sensitiveWords = section({
  tab: 'operation',
  options: {
    CheckSensitiveEnabled: flag(true),
    CheckSensitiveOnPromptEnabled: flag(true),
    SensitiveWords: lines(['test_sensitive'], Words),
  },
})
