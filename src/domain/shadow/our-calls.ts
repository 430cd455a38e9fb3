/** The calls that passed in the shadow, with what the other gateway calls their users. */
import { and, asc, eq, gte, lt, max, min } from 'drizzle-orm'
import { digest } from '../../crypto/sealing.ts'
import { db } from '../../db/database.ts'
import type { ForeignDatabase } from '../../db/foreign/foreign-database.ts'
import { text, whole } from '../moving-in/index.ts'
import { movedRows } from '../moving-in/table.ts'
import { users } from '../users/table.ts'
import { shadowCalls } from './table.ts'

export type OurCall = typeof shadowCalls.$inferSelect

/** Seconds of the first and the last call. @returns undefined when there is none */
export async function shadowSpan(): Promise<{ first: number; last: number } | undefined> {
  const { created_at } = shadowCalls
  const [found] = await db.select({ first: min(created_at), last: max(created_at) }).from(shadowCalls)
  if (found?.first === null || !found) return undefined
  return { first: Number(found.first), last: Number(found.last) }
}

/** Oldest first. @param until exclusive */
export const ourCalls = (since: number, until: number): Promise<OurCall[]> =>
  db
    .select()
    .from(shadowCalls)
    .where(and(gte(shadowCalls.created_at, since), lt(shadowCalls.created_at, until)))
    .orderBy(asc(shadowCalls.created_at), asc(shadowCalls.id))

/** Whose call it is. */
export interface CallOwner {
  /** Id there; undefined where it is not known. */
  user_id: number | undefined
  /** Name here, which is the one there unless it was taken; the beginning of the key's hash for an unknown user. */
  user: string
  isKnown: boolean
}

const HASH_SHOWN = 8

/** @returns what tells the owner of a call: by the users that were moved in, else by the keys there */
export async function ownersOf(from: ForeignDatabase): Promise<(call: OurCall) => CallOwner> {
  const names = new Map(
    (await db.select({ id: users.id, name: users.username }).from(users)).map(row => [row.id, row.name]),
  )
  const moved = await db
    .select({ id: movedRows.target_id, there: movedRows.source_id })
    .from(movedRows)
    .where(eq(movedRows.noun, 'user'))
  const there = new Map(moved.map(row => [row.id, row.there]))
  const byKey = await usersByKey(from)
  const namesThere = await namesOf(from, new Set(byKey.values()))
  return ({ user_id, key_hash }) => {
    if (user_id) return { user_id: there.get(user_id), user: names.get(user_id) ?? `#${user_id}`, isKnown: true }
    const found = byKey.get(key_hash)
    const label = key_hash ? `key ${key_hash.slice(0, HASH_SHOWN)}` : ''
    return { user_id: found, user: namesThere.get(found ?? 0) ?? label, isKnown: false }
  }
}

/** Users there by the hash of their keys, of those that are not known here. */
async function usersByKey(from: ForeignDatabase): Promise<Map<string, number>> {
  const unknown = await db
    .selectDistinct({ key_hash: shadowCalls.key_hash })
    .from(shadowCalls)
    .where(eq(shadowCalls.user_id, 0))
  const wanted = new Set(unknown.map(({ key_hash }) => key_hash))
  const found = new Map<string, number>()
  if (!wanted.size) return found
  for await (const rows of from.read('tokens', ['user_id', 'key'])) {
    for (const row of rows) {
      const hash = digest(text(row.key))
      if (wanted.has(hash)) found.set(hash, whole(row.user_id))
    }
  }
  return found
}

async function namesOf(from: ForeignDatabase, ids: ReadonlySet<number>): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  if (!ids.size) return found
  for await (const rows of from.read('users', ['username']))
    for (const { id, username } of rows) if (ids.has(whole(id))) found.set(whole(id), text(username))
  return found
}
