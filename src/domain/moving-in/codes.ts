/** Redemption codes of another gateway: unspent ones go on working, and no user redeems one twice. */
import { inArray } from 'drizzle-orm'
import { RedemptionStatus, UNLIMITED_USES } from '../../contracts/redemption.ts'
import { digest, seal } from '../../crypto/sealing.ts'
import { atomic, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { tailOf } from '../redemption/index.ts'
import { redemptions, redemptionUses } from '../redemption/table.ts'
import { rootUser } from '../users/index.ts'
import { carryAll, type Entry, idsInOrder } from './carry.ts'
import { countNote, type Move, note } from './move.ts'
import { flag, isDeleted, text, whole } from './row.ts'

const COLUMNS = [
  ...['user_id', 'key', 'status', 'name', 'quota', 'created_time', 'redeemed_time', 'used_user_id', 'deleted_at'],
  ...['expired_time', 'valid_from', 'valid_until', 'is_gift', 'max_uses', 'used_count'],
]

type CodeRow = typeof redemptions.$inferInsert

export async function moveCodes(move: Move) {
  const root = (await rootUser())?.id ?? 0
  await carryAll<CodeRow>(move, {
    noun: 'code',
    table: redemptions,
    batches: move.from.read('redemptions', COLUMNS),
    read: rows =>
      withoutTaken(
        move,
        rows.flatMap(row => entryOf(move, row, root) ?? []),
      ),
    *write(tx, entries) {
      const rows = entries.map(({ row }) => row)
      const { id, key_hash } = redemptions
      const made = yield* run(tx.insert(redemptions).values(rows).returning({ id, key_hash }))
      const hashes = rows.map(row => row.key_hash)
      return idsInOrder(made, 'key_hash', hashes)
    },
  })
  await moveUses(move)
}

function entryOf(move: Move, row: ForeignRow, root: number): Entry<CodeRow> | undefined {
  const id = whole(row.id)
  const key = text(row.key)
  const quota = whole(row.quota)
  const name = text(row.name)
  if (isDeleted(row)) return void countNote(move, 'moving.code_deleted')
  if (!key || quota <= 0) return void note(move, 'code', 'moving.code_unusable', id, { name })
  const statuses: number[] = Object.values(RedemptionStatus)
  const status = whole(row.status, RedemptionStatus.disabled)
  const is_gift = flag(row.is_gift)
  const isUsed = status === RedemptionStatus.used
  return {
    source_id: id,
    row: {
      user_id: move.ids.user.get(whole(row.user_id)) ?? root,
      name,
      ...{ key_sealed: seal(key), key_hash: digest(key), key_tail: tailOf(key), quota, is_gift },
      status: statuses.includes(status) ? status : RedemptionStatus.disabled,
      max_uses: is_gift ? whole(row.max_uses, UNLIMITED_USES) || UNLIMITED_USES : 1,
      used_count: Math.max(0, whole(row.used_count, isUsed ? 1 : 0)),
      used_user_id: move.ids.user.get(whole(row.used_user_id)) ?? 0,
      valid_from: Math.max(0, whole(row.valid_from)),
      valid_until: Math.max(0, whole(row.valid_until) || whole(row.expired_time)),
      created_time: whole(row.created_time) || now(),
      redeemed_time: Math.max(0, whole(row.redeemed_time)),
    },
  }
}

async function withoutTaken(move: Move, entries: Entry<CodeRow>[]): Promise<Entry<CodeRow>[]> {
  const hashes = entries.map(({ row }) => row.key_hash)
  const { key_hash } = redemptions
  const found = hashes.length ? await db.select({ key_hash }).from(redemptions).where(inArray(key_hash, hashes)) : []
  const taken = new Set(found.map(row => row.key_hash))
  return entries.filter(({ source_id, row }) => {
    const isTaken = taken.has(row.key_hash)
    if (isTaken) note(move, 'code', 'moving.code_taken', source_id, { name: row.name })
    taken.add(row.key_hash)
    return !isTaken
  })
}

/** Of gifts, which each user redeems once. Their credit is part of the balance: here it is none. */
async function moveUses(move: Move) {
  const reading = move.from.read('redemption_logs', ['redemption_id', 'user_id', 'used_time'])
  for await (const rows of reading) {
    if (move.isDry) continue
    const uses = rows.flatMap(row => {
      const redemption_id = move.ids.code.get(whole(row.redemption_id))
      const user_id = move.ids.user.get(whole(row.user_id))
      return redemption_id && user_id ? [{ redemption_id, user_id, quota: 0, used_time: whole(row.used_time) }] : []
    })
    if (uses.length)
      await atomic(function* (tx) {
        yield* run(tx.insert(redemptionUses).values(uses).onConflictDoNothing())
      })
  }
}
