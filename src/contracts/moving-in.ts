/** Moving in from another gateway: what is carried, and the report on it. */
import type { MessageKey } from '../locales/message-key.ts'
import type { MessageParams } from '../locales/translator.ts'

export const MOVED_PRODUCTS = ['new-api', 'one-api', 'veloera'] as const
export type MovedProduct = (typeof MOVED_PRODUCTS)[number]

export const MOVED_NOUNS = [
  ...([
    'user',
    'token',
    'channel',
    'option',
    'code',
    'authenticator',
    'passkey',
    'check_in',
    'message',
    'drawing',
    'task',
    'log',
  ] as const),
]
export type MovedNoun = (typeof MOVED_NOUNS)[number]

/** Whose prices hold afterwards. */
export const PRICES_OF = ['theirs', 'ours'] as const
export type PricesOf = (typeof PRICES_OF)[number]

/** Whose root account holds: theirs where Tollgate has none yet. */
export const ROOT_OF = ['ours', 'theirs'] as const
export type RootOf = (typeof ROOT_OF)[number]

export const SETUP_IMPORT_PATH = '/setup/import'
/** Megabytes of a database that is uploaded; a larger one moves in by the command. */
export const IMPORT_UPLOAD_MB_MAX = 1024
/** Of the data folder: where uploads lie. */
export const IMPORT_FOLDER = 'import'

export interface MoveCounts {
  /** Rows of the other database. */
  found: number
  carried: number
  /** By an earlier run. */
  before: number
}

export type MoveNoteKey = Extract<MessageKey, `moving.${string}`>

/** A choice that was taken, or something that stays behind. */
export interface MoveNote {
  noun: MovedNoun
  /** In the other database; 0 for none. */
  id: number
  key: MoveNoteKey
  params: MessageParams
}

/** Without secrets. */
export interface MoveReport {
  product: MovedProduct
  /** Name of the other installation. */
  source: string
  address: string
  /** Name of the user who becomes root; absent where ours holds. */
  root?: string
  is_dry: boolean
  keeps_ids: boolean
  /** Unix seconds. */
  time: number
  counts: Record<MovedNoun, MoveCounts>
  /** Quota: exact, so as texts. */
  balances: { found: string; carried: string; before: string; left: string }
  /** How often each note applies. */
  totals: Partial<Record<MoveNoteKey, number>>
  /** The first of them. */
  notes: MoveNote[]
  channels: { id: number; new_id: number; name: string; type: number; new_type: number }[]
}

export const MOVE_NOTES_MAX = 10_000
