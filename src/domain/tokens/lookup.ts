/** Tokens as calls find them: by API key, from the cache. */
import { and, eq, inArray, isNull, lte, ne } from 'drizzle-orm'
import { cache } from '../../cluster/cache.ts'
import { announce } from '../../cluster/changes.ts'
import { WriteBehind } from '../../cluster/write-behind.ts'
import { NEVER, TokenStatus } from '../../contracts/token.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { type TokenRow, tokens } from './table.ts'

/** Never invalidated: a key that was rotated away is known by the hash of its token. */
const idByHash = cache('token-id', async (key_hash: string): Promise<number | undefined> => {
  const [found] = await db.select({ id: tokens.id }).from(tokens).where(eq(tokens.key_hash, key_hash))
  return found?.id
})

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
  return chain(idByHash.get(key_hash), id => {
    if (id !== undefined) return chain(tokenById.get(id), token => (token?.key_hash === key_hash ? token : undefined))
    // Guessed keys must not fill the cache, nor hide a token that is created later.
    idByHash.drop(key_hash)
    return undefined
  })
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
