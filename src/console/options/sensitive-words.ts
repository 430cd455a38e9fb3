import { z } from 'zod'
import { flag, lines, section } from './declare.ts'

const PATTERN = 'regex:'

const isPattern = (word: string) => word.startsWith(PATTERN)

function compiles(word: string): boolean {
  try {
    new RegExp(word.slice(PATTERN.length))
    return true
  } catch {
    return false
  }
}

/** Texts are lower-cased before they are searched, so plain words are too; a pattern stays as it was written. */
const Words = z.array(
  z
    .string()
    .overwrite(word => (isPattern(word) ? word : word.toLowerCase()))
    .refine(word => !isPattern(word) || compiles(word), 'option.bad_pattern'),
)

export const sensitiveWords = section({
  tab: 'operation',
  options: {
    CheckSensitiveEnabled: flag(true),
    CheckSensitiveOnPromptEnabled: flag(true),
    SensitiveWords: lines(['test_sensitive'], Words),
  },
})
