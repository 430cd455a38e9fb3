/** The form of a surface: everything that a client can send in one format, and all that it can be answered with. */
import type { Json } from '../../../src/pure/json.ts'

export interface Surface {
  /** Fields of a request, each with a value that uses it. */
  field: Record<string, unknown>
  /** What a field needs beside it. */
  beside?: Record<string, Json>
  /** Fields that the gateway acts on itself, whatever the upstream. */
  own?: readonly string[]
  /** Tools, by their type or, of Gemini, their field. */
  tool: Record<string, Json>
  beta?: readonly string[]
  /** Parts of a conversation, by what becomes of them in other formats. */
  block: Outcomes<'translated' | 'dropped' | 'refused'>
  /** Parts of a response: natively all pass. */
  event: Outcomes<'translated' | 'dropped'>
}

type Outcomes<Outcome extends string> = Record<Outcome, readonly string[]>

export const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** The same value for each name. */
export const each = <Value>(text: string, value: (name: string) => Value): Record<string, Value> =>
  Object.fromEntries(words(text).map(name => [name, value(name)]))
