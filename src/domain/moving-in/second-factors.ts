/** Authenticator apps and recovery codes of users of new-api: they are asked for as before. */
import { inArray } from 'drizzle-orm'
import { run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { authenticators, recoveryCodes } from '../two-factor/table.ts'
import { carryAll, type Entry } from './carry.ts'
import { type Move, note } from './move.ts'
import { flag, isDeleted, text, whole } from './row.ts'

interface AuthenticatorRow {
  user_id: number
  secret: string
  confirmed_time: number
  created_time: number
  /** bcrypt. */
  codes: string[]
}

const BASE32 = /^[A-Z2-7]{8,}=*$/i

export async function moveSecondFactors(move: Move) {
  const codes = await unusedCodes(move)
  await carryAll<AuthenticatorRow>(move, {
    noun: 'authenticator',
    batches: move.from.read('two_fas', ['user_id', 'secret', 'is_enabled', 'deleted_at']),
    read: rows => withoutOwn(rows.flatMap(row => entryOf(move, row, codes) ?? [])),
    *write(tx, entries) {
      const rows = entries.map(({ row: { codes: _, id: __, ...row } }) => row)
      yield* run(tx.insert(authenticators).values(rows))
      const left = entries.flatMap(({ row }) =>
        row.codes.map(hash => ({ user_id: row.user_id, hash, created_time: now() })),
      )
      if (left.length) yield* run(tx.insert(recoveryCodes).values(left).onConflictDoNothing())
      return rows.map(({ user_id }) => user_id)
    },
  })
}

function entryOf(move: Move, row: ForeignRow, codes: Map<number, string[]>): Entry<AuthenticatorRow> | undefined {
  const owner = whole(row.user_id)
  const user_id = move.ids.user.get(owner)
  if (!flag(row.is_enabled) || isDeleted(row) || user_id === undefined || move.deletedUsers.has(owner)) return
  const secret = text(row.secret).trim().toUpperCase()
  if (!BASE32.test(secret)) return void note(move, 'authenticator', 'moving.authenticator_broken', owner)
  const created_time = now()
  return {
    source_id: whole(row.id),
    row: { user_id, secret, confirmed_time: created_time, created_time, codes: codes.get(owner) ?? [] },
  }
}

/** One app a user: what was set up here stays. */
async function withoutOwn(entries: Entry<AuthenticatorRow>[]): Promise<Entry<AuthenticatorRow>[]> {
  const owners = entries.map(({ row }) => row.user_id)
  const { user_id } = authenticators
  const found = owners.length ? await db.select({ user_id }).from(authenticators).where(inArray(user_id, owners)) : []
  const taken = new Set(found.map(row => row.user_id))
  return entries.filter(({ row }) => !taken.has(row.user_id) && taken.add(row.user_id))
}

/** bcrypt hashes by the id of the user there. */
async function unusedCodes(move: Move): Promise<Map<number, string[]>> {
  const codes = new Map<number, string[]>()
  const reading = move.from.read('two_fa_backup_codes', ['user_id', 'code_hash', 'is_used', 'deleted_at'])
  for await (const rows of reading)
    for (const row of rows) {
      if (flag(row.is_used) || isDeleted(row)) continue
      const owner = whole(row.user_id)
      codes.set(owner, [...(codes.get(owner) ?? []), text(row.code_hash)])
    }
  return codes
}
