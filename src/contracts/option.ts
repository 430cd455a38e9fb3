/** Options in the API: a key and its value as text. */
import { z } from 'zod'
import { bodyOf } from './body.ts'

/** Numbers and booleans are accepted and stored as text. */
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

/** USD or ratio of an unsaved fallback price; empty or 0 when it is not set. */
const amount = z
  .union([z.literal(''), z.null(), z.number(), z.string().regex(/^\d+(\.\d+)?$/)])
  .optional()
  .transform(value => Number(value ?? 0))
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

/** Marks a line of the sensitive words as a regular expression. */
export const PATTERN_PREFIX = 'regex:'

/** Tabs of the settings page, in order. */
export const SETTINGS_TABS = ['operation', 'ratelimit', 'models', 'system', 'other'] as const
export type SettingsTab = (typeof SETTINGS_TABS)[number]
