/** What is asked about: a text, tokens, or a list of either; for some models also pictures. */
import { estimateTokens } from '../pure/estimate-tokens.ts'
import { isObject } from './json/checks.ts'

/** What a picture costs where tokens are counted, roughly. */
const PICTURE_TOKENS = 765

const isTokens = (input: unknown): input is number[] =>
  Array.isArray(input) && input.length > 0 && input.every(item => Number.isInteger(item))

/** How many separate things were asked about. */
export const inputsIn = (input: unknown): number => (Array.isArray(input) && !isTokens(input) ? input.length : 1)

/** Whether it is of a kind that can be counted, and not empty. */
export function isInput(input: unknown): boolean {
  if (typeof input === 'string') return input !== ''
  if (!Array.isArray(input) || !input.length) return false
  return isTokens(input) || input.every(item => typeof item === 'string' || isTokens(item) || isObject(item))
}

export function inputTokens(input: unknown): number {
  if (typeof input === 'string') return estimateTokens(input)
  if (isTokens(input)) return input.length
  if (Array.isArray(input)) return input.reduce((sum: number, item) => sum + inputTokens(item), 0)
  if (!isObject(input)) return 0
  return typeof input.text === 'string' ? estimateTokens(input.text) : PICTURE_TOKENS
}

/** As people would read it. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input
  if (isTokens(input)) return `[${input.length} tokens]`
  if (Array.isArray(input)) return input.map(inputText).join('\n')
  return isObject(input) && typeof input.text === 'string' ? input.text : '[image]'
}
