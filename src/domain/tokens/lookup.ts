/** Tokens as calls find them: by key, from memory. Every write forgets what it changed. */
import { and, eq, inArray, isNull, lte, ne } from 'drizzle-orm'
import { cache } from '../../cluster/cache.ts'
import { NEVER, TokenStatus } from '../../contracts/token.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { type TokenRow, tokens } from './table.ts'

/** A key never changes, so its token's id is learnt once. */
const idByHash = cache(async (key_hash: string): Promise<number | undefined> => {
  const [found] = await db.select({ id: tokens.id }).from(tokens).where(eq(tokens.key_hash, key_hash))
  return found?.id
})

const byId = cache(async (id: number): Promise<TokenRow | undefined> => {
  const [token] = await db
    .select()
    .from(tokens)
    .where(and(eq(tokens.id, id), isNull(tokens.deleted_time)))
  return token
})

/** The living token of a key (without `sk-`). Never read quota from it: that moves without telling the cache. */
export async function tokenByKey(key: string): Promise<TokenRow | undefined> {
  const key_hash = digest(key)
  const id = await idByHash.get(key_hash)
  if (id !== undefined) return byId.get(id)
  // Guessed keys must not fill the cache, nor hide a token that is made later.
  idByHash.forget(key_hash)
  return undefined
}

/** Call after any write to a token that is not its quota. */
export const forgetToken = (id: number) => byId.forget(id)

/** Writes down what a call has noticed, if it is so still: its owner may just have given the token more time. */
export async function markExpired(id: number) {
  const isPast = and(ne(tokens.expired_time, NEVER), lte(tokens.expired_time, now()))
  await db
    .update(tokens)
    .set({ status: TokenStatus.expired })
    .where(and(eq(tokens.id, id), eq(tokens.status, TokenStatus.enabled), isPast))
  forgetToken(id)
}

const LAST_USED_STEP_SECONDS = 60
const FLUSH_AFTER_MS = 1000

const touched = new Set<number>()
let flushing: Timer | undefined

/** Notes that a token was used just now; written at most once a minute, apart from the call. */
export function touchToken(id: number) {
  const token = byId.peek(id)
  if (!token || now() - token.accessed_time < LAST_USED_STEP_SECONDS) return
  token.accessed_time = now()
  touched.add(id)
  flushing ??= setTimeout(writeLastUsed, FLUSH_AFTER_MS).unref()
}

/** Writes what `touchToken` has gathered; also before the process ends. */
export async function writeLastUsed() {
  clearTimeout(flushing)
  flushing = undefined
  const ids = [...touched]
  touched.clear()
  if (!ids.length) return
  try {
    await atomic(function* (tx) {
      yield* lock(tx, tokens, inArray(tokens.id, ids))
      yield* run(tx.update(tokens).set({ accessed_time: now() }).where(inArray(tokens.id, ids)))
    })
  } catch (error) {
    // Only "last used" is lost, for a minute.
    log.warn('last used of tokens was not written', { reason: reason(error) })
  }
}
