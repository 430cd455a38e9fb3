/** Input of embeddings and similar operations: a text, tokens, or a list of either; for some models also images. */
import type { Json } from '../pure/json.ts'
import { estimateOf } from './estimate.ts'
import type { Countable } from './format.ts'
import { isObject } from './json/checks.ts'
import { everyText } from './json/every-text.ts'

/** Estimated tokens of an image. */
const IMAGE_TOKENS = 765

const isTokens = (input: unknown): input is number[] =>
  Array.isArray(input) && input.length > 0 && input.every(item => Number.isInteger(item))

/** @returns the number of separate inputs */
export const inputsIn = (input: unknown): number => (Array.isArray(input) && !isTokens(input) ? input.length : 1)

/** Tells whether it is not empty and can be counted. */
export function isInput(input: unknown): boolean {
  if (typeof input === 'string') return input !== ''
  if (!Array.isArray(input) || !input.length) return false
  return isTokens(input) || input.every(item => typeof item === 'string' || isTokens(item) || isObject(item))
}

/** What counts of the inputs in these fields, and of every other text of the body. */
export const bodyParts = (body: Json, ...fields: string[]): Countable =>
  joined([...fields.map(field => inputParts(body[field] ?? '')), everyText(body, ...fields)])

export const bodyTokens = (body: Json, ...fields: string[]): number => estimateOf(bodyParts(body, ...fields))

export const inputTokens = (input: unknown): number => estimateOf(inputParts(input))

/** With every text beside those that are input. */
function inputParts(input: unknown): Countable {
  if (Array.isArray(input) && !isTokens(input)) return joined(input.map(inputParts))
  if (!isObject(input)) return countableInput(input)
  const { text: _, ...others } = input
  return joined([countableInput(input), everyText(others)])
}

/** The same for a tokenizer. */
export function countableInput(input: unknown): Countable {
  if (typeof input === 'string') return { texts: [input], tokens: 0 }
  if (isTokens(input)) return { texts: [], tokens: input.length }
  if (Array.isArray(input)) return joined(input.map(countableInput))
  if (!isObject(input)) return { texts: [], tokens: 0 }
  return typeof input.text === 'string' ? { texts: [input.text], tokens: 0 } : { texts: [], tokens: IMAGE_TOKENS }
}

export const joined = (parts: Countable[]): Countable => ({
  texts: parts.flatMap(({ texts }) => texts),
  tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
})

/** @returns the input as text, for logs */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input
  if (isTokens(input)) return `[${input.length} tokens]`
  if (Array.isArray(input)) return input.map(inputText).join('\n')
  return isObject(input) && typeof input.text === 'string' ? input.text : '[image]'
}
