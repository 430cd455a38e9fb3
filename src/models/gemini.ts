/** How Gemini's models differ in what they take. */
import type { Effort } from './effort.ts'

export interface Traits {
  /** By a number of tokens, by a word, or not at all. */
  thinking:
    | { by: 'budget'; least: number; most: number; can_stop: boolean }
    | { by: 'level'; levels: Effort[] }
    | undefined
  /** Whether a call that is shown again must carry a signature, and a result may carry pictures. */
  signed: boolean
  /** Whether Google's own tools may stand beside functions. */
  mixes_tools: boolean
  /** What it makes instead of words, or beside them. */
  makes: 'image' | 'audio' | undefined
  /** Whether instructions have a place of their own. */
  system: boolean
}

const budget = (least: number, most: number, can_stop: boolean): Traits['thinking'] => ({
  by: 'budget',
  least,
  most,
  can_stop,
})

/** The first that fits. */
const table: [RegExp, Traits['thinking']][] = [
  [/gemini-(?:[3-9]|\d\d).*pro/, { by: 'level', levels: ['low', 'high'] }],
  [/gemini-(?:[3-9]|\d\d)/, { by: 'level', levels: ['minimal', 'low', 'medium', 'high'] }],
  [/gemini-2\.5-pro/, budget(128, 32_768, false)],
  [/gemini-2\.5-flash-lite/, budget(512, 24_576, true)],
  [/image|tts|audio|gemini-[12]\.|gemini-exp|gemma|learnlm/, undefined],
]

const flash = budget(1, 24_576, true)
const unthinking = /gemini-2\.5-flash-(?:image|preview-tts)/

export function traitsOf(model: string): Traits {
  const isThirdOrLater = /gemini-(?:[3-9]|\d\d)/.test(model)
  const is25Flash = /gemini-2\.5-flash(?!-lite)/.test(model) && !unthinking.test(model)
  const row = is25Flash ? undefined : table.find(([pattern]) => pattern.test(model))
  return {
    thinking: row ? row[1] : flash,
    signed: isThirdOrLater,
    mixes_tools: isThirdOrLater,
    makes: /tts/.test(model) ? 'audio' : /-image/.test(model) ? 'image' : undefined,
    system: !/gemma|gemini-1\.0/.test(model),
  }
}
