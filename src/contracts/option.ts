/** Options in the API: a key and its value as text. */
import { z } from 'zod'
import type { MessageKey } from '../locales/index.ts'
import type { MessageParams } from '../locales/translator.ts'
import { isWebAddress } from './address.ts'
import { bodyOf } from './body.ts'

export const SETTINGS_PATH = '/admin/settings'

/** Control in which an option is edited. */
export type Widget =
  | 'flag'
  | 'number'
  | 'line'
  | 'url'
  | 'secret'
  | 'choice'
  | 'list'
  | 'lines'
  | 'json'
  | 'markdown'
  | 'html'
  | 'css'
  | 'js'

/** Numbers and booleans are accepted and stored as text. */
const OptionText = z.union([z.string(), z.number(), z.boolean()]).transform(String)

export const OptionChange = bodyOf(z.object({ key: z.string(), value: OptionText }))

export interface OptionRow {
  key: string
  value: string
}

/** One change of an option. */
export interface OptionEdit {
  id: number
  /** Unix seconds. */
  created_time: number
  /** 0 for the system. */
  actor_id: number
  actor_name: string
  key: string
  /** Changed entries of a map, or `value`; a secret is `changed`. */
  before: Record<string, unknown>
  after: Record<string, unknown>
  secret: boolean
  /** The option still has what this change wrote. */
  can_undo: boolean
}

/** All options without secrets, as they are exported. */
export interface SettingsFile {
  version: string
  /** Unix seconds. */
  exported_time: number
  options: Record<string, string>
}

/** What an import does, or would do. */
export interface ImportReview {
  changes: { key: string; before: string; after: string }[]
  /** Number of options that already have the value of the file. */
  unchanged: number
  /** Keys that this version does not know; they stay out. */
  unknown: string[]
  /** Keys of secrets; they stay out. */
  secrets: string[]
  /** A single one refuses the whole import. */
  invalid: { key: string; code: MessageKey; params: MessageParams }[]
}

/** A settings file. Numbers and booleans are accepted as texts; `preview` changes nothing. */
export const SettingsImport = bodyOf(
  z.object({
    options: z
      .record(z.string(), OptionText, 'revision.not_settings')
      .refine(options => Object.keys(options).length > 0, 'revision.not_settings'),
    preview: z.boolean().default(false),
  }),
  ['version', 'exported_time'],
)

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

/** Address of an OpenID provider's discovery document. */
export const OidcDiscovery = bodyOf(
  z.object({
    well_known: z.string('option.not_well_known').trim().refine(isWebAddress, 'option.not_well_known'),
  }),
)

/** Addresses of an OpenID provider; the last one is empty where the provider names none. */
export interface OidcEndpoints {
  authorization_endpoint: string
  token_endpoint: string
  user_info_endpoint: string
}

/** Tabs of the settings page, in order. */
export const SETTINGS_TABS = ['operation', 'ratelimit', 'models', 'system', 'other'] as const
export type SettingsTab = (typeof SETTINGS_TABS)[number]

/** Options that are previewed while they are edited; the logo together with the name. */
export const PREVIEWED_KEYS = ['Notice', 'HomePageContent', 'About', 'Footer', 'Logo'] as const
export type PreviewedKey = (typeof PREVIEWED_KEYS)[number]
