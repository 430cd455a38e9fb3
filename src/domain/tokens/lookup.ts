/** Tokens as calls find them: by API key, from the cache. */
import { and, eq, inArray, isNull, lte, ne } from 'drizzle-orm'
import { cache } from '../../cluster/cache.ts'
import { announce } from '../../cluster/changes.ts'
import { WriteBehind } from '../../cluster/write-behind.ts'
import { NEVER, TokenStatus } from '../../contracts/token.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { store } from '../../process/stores.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { type TokenRow, tokens } from './table.ts'

/** Invalidated for new keys alone: a key that was rotated away is known by the hash of its token. */
const idByHash = cache('token-id', (key_hash: string) => askFor(key_hash))

const HASHES_MAX = 500
const asked = store('asked-key-hashes', new Map<string, PromiseWithResolvers<number | undefined>>())
const asking = store('asking-key-hashes', new Set<object>())

/** What is asked for while a query runs shares the next one: guessed keys are no storm on the database. */
function askFor(key_hash: string): Promise<number | undefined> {
  const answer = asked.get(key_hash) ?? Promise.withResolvers<number | undefined>()
  asked.set(key_hash, answer)
  if (!asking.size) void askForAll()
  return answer.promise
}

async function askForAll() {
  const query = {}
  asking.add(query)
  while (asked.size) {
    const part = [...asked].slice(0, HASHES_MAX)
    for (const [key_hash] of part) asked.delete(key_hash)
    try {
      const found = await idsOf(part.map(([key_hash]) => key_hash))
      for (const [key_hash, { resolve }] of part) resolve(found.get(key_hash))
    } catch (error) {
      for (const [, { reject }] of part) reject(error)
    }
  }
  asking.delete(query)
}

async function idsOf(key_hashes: string[]): Promise<Map<string, number>> {
  const { id, key_hash } = tokens
  const rows = await db.select({ id, key_hash }).from(tokens).where(inArray(key_hash, key_hashes))
  return new Map(rows.map(row => [row.key_hash, row.id]))
}

/** A key that was tried before it was made is known at once, and on the other nodes with the announcement. */
export const announceKeys = (tx: Tx, rows: readonly Pick<TokenRow, 'key_hash'>[]) =>
  announce(
    tx,
    'token-id',
    rows.map(({ key_hash }) => key_hash),
  )

/** A token as calls find it; undefined when deleted. Its quota is stale: the wallet changes it without an invalidation. */
export const tokenById = cache('token', async (id: number): Promise<TokenRow | undefined> => {
  const [token] = await db
    .select()
    .from(tokens)
    .where(and(eq(tokens.id, id), isNull(tokens.deleted_time)))
  return token
})

/**
 * The token of an API key (without `sk-`).
 * @returns undefined for an unknown or rotated key, or a deleted token
 */
export function tokenByKey(key: string): Awaitable<TokenRow | undefined> {
  const key_hash = digest(key)
  return chain(idByHash.get(key_hash), id =>
    id === undefined
      ? undefined
      : chain(tokenById.get(id), token => (token?.key_hash === key_hash ? token : undefined)),
  )
}

/** Sets the status of a token that a call has found expired, unless its owner has just extended it. */
export async function markExpired(id: number) {
  const isPast = and(ne(tokens.expired_time, NEVER), lte(tokens.expired_time, now()))
  const isNew = and(eq(tokens.id, id), eq(tokens.status, TokenStatus.enabled), isPast)
  await atomic(function* (tx) {
    yield* run(tx.update(tokens).set({ status: TokenStatus.expired }).where(isNew))
    yield* announce(tx, 'token', [id])
  })
}

const LAST_USED_STEP_SECONDS = 60

const lastUsed = new WriteBehind<number, true>('token-last-used', entries =>
  atomic(function* (tx) {
    const used = inArray(tokens.id, [...entries.keys()])
    yield* lock(tx, tokens, used)
    yield* run(tx.update(tokens).set({ accessed_time: now() }).where(used))
  }),
)

/** Notes that a cached token is used now; written behind, at most once a minute. */
export function touchToken(id: number) {
  const token = tokenById.peek(id)
  if (!token || now() - token.accessed_time < LAST_USED_STEP_SECONDS) return
  token.accessed_time = now()
  lastUsed.set(id, true)
}

export const writeLastUsed = () => lastUsed.flush()
