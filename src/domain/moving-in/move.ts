/** One run of moving in: what is read, where rows went, and what the report says. */
import { and, eq } from 'drizzle-orm'
import {
  MOVE_NOTES_MAX,
  MOVED_NOUNS,
  type MoveCounts,
  type MovedNoun,
  type MovedProduct,
  type MoveNoteKey,
  type MoveReport,
} from '../../contracts/moving-in.ts'
import { db } from '../../db/database.ts'
import type { ForeignDatabase } from '../../db/foreign/foreign-database.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { now } from '../../process/clock.ts'
import { movedRows } from './table.ts'

export interface Move {
  from: ForeignDatabase
  product: MovedProduct
  /** Name of the other installation. */
  source: string
  /** Nothing is written. */
  isDry: boolean
  /** Rows have the ids that they have there, where those are free. */
  keepsIds: boolean
  /** Id there of the user who becomes root; undefined where ours holds. */
  newRoot?: number
  /** Where rows are here by their id there; those of a dry run under the id there. */
  ids: Record<MovedNoun, Map<number, number>>
  /** Accounts there that are deleted: what is theirs stays behind. */
  deletedUsers: Set<number>
  report: Omit<MoveReport, 'balances'>
  /** Quota. */
  balances: Record<keyof MoveReport['balances'], bigint>
}

type MoveStart = Pick<Move, 'from' | 'product' | 'source' | 'isDry' | 'keepsIds'>

export function newMove(given: MoveStart): Move {
  const { from, product, source, isDry, keepsIds } = given
  return {
    ...given,
    ids: byNoun(() => new Map<number, number>()),
    deletedUsers: new Set(),
    balances: { found: 0n, carried: 0n, before: 0n, left: 0n },
    report: {
      ...{ product, source, address: from.name, is_dry: isDry, keeps_ids: keepsIds, time: now() },
      ...{
        counts: byNoun((): MoveCounts => ({ found: 0, carried: 0, before: 0 })),
        totals: {},
        notes: [],
        channels: [],
      },
    },
  }
}

const byNoun = <T>(make: () => T) => Object.fromEntries(MOVED_NOUNS.map(noun => [noun, make()])) as Record<MovedNoun, T>

/** A choice that is taken, or something that stays behind. */
export function note({ report }: Move, noun: MovedNoun, key: MoveNoteKey, id = 0, params: MessageParams = {}) {
  report.totals[key] = (report.totals[key] ?? 0) + 1
  if (report.notes.length < MOVE_NOTES_MAX) report.notes.push({ noun, id, key, params })
}

/** The same without a line of its own. */
export function countNote({ report }: Move, key: MoveNoteKey, times = 1) {
  if (times) report.totals[key] = (report.totals[key] ?? 0) + times
}

/** Reads where the rows of a noun went in earlier runs. */
export async function loadIds({ ids, source }: Move, noun: MovedNoun) {
  const { source_id, target_id } = movedRows
  const rows = await db
    .select({ source_id, target_id })
    .from(movedRows)
    .where(and(eq(movedRows.source, source), eq(movedRows.noun, noun)))
  for (const row of rows) ids[noun].set(row.source_id, row.target_id)
}
