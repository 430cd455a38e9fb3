/** Options on the wire: a key and its text. */
import { z } from 'zod'
import { bodyOf } from './body.ts'

/** Numbers and switches may travel as what they are; they are kept as text. */
export const OptionChange = bodyOf(
  z.object({
    key: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
  }),
)

export interface OptionRow {
  key: string
  value: string
}

/** A fallback price to be looked at before it is saved; what is not set is empty or 0. */
const amount = z
  .union([z.literal(''), z.null(), z.number(), z.string().regex(/^\d+(\.\d+)?$/)])
  .optional()
  .transform(given => Number(given ?? 0))
  .pipe(z.number().min(0))

export const FallbackDraft = bodyOf(
  z.object({
    enabled: z.union([z.boolean(), z.enum(['true', 'false']).transform(text => text === 'true')]).default(true),
    single_price: amount,
    input_ratio: amount,
    completion_ratio: amount,
  }),
)
export type FallbackDraft = z.infer<typeof FallbackDraft>

/** A line of the sensitive words that begins so is a regular expression. */
export const PATTERN_PREFIX = 'regex:'
