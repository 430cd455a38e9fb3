/** Changes of prices: each save is one version, which can be undone. */
import { asc, desc, eq, gt, inArray } from 'drizzle-orm'
import type { Actor } from '../../contracts/actor.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import { isPriceKey, type PriceChange, type PriceKey, type PriceTexts } from '../../contracts/pricing.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { count } from '../../db/fragments.ts'
import { checkUnchanged, type OptionState, optionDigest, setOptions } from '../options/index.ts'
import { users } from '../users/table.ts'
import { priceChanges } from './table.ts'

/** Digests of price texts, by option. */
export type PriceDigests = Partial<Record<PriceKey, string>>

/** Tells whether an option has changed since its text was read. */
export const priceDigest: (key: PriceKey, state?: OptionState) => string = optionDigest

/**
 * Saves all or nothing, as one version.
 * @param read digests of the texts from which these were made
 * @throws Refusal 400 or 403 at the field of the invalid option; 409 at the field of one that has changed since
 */
export async function savePrices(actor: Actor, texts: PriceTexts, read: PriceDigests = {}): Promise<void> {
  const unknown = Object.keys(texts).find(key => !isPriceKey(key))
  if (unknown !== undefined) throw new Refusal('option.unknown', { key: unknown }, 400, unknown)
  await setOptions(texts, actor, tx => checkUnchanged(tx, read))
}

/** One page, newest first. */
export async function priceHistory({ page, size, offset }: Paging): Promise<Listing<PriceChange>> {
  const rows = await db.select().from(priceChanges).orderBy(desc(priceChanges.id)).limit(size).offset(offset)
  const [all] = await db.select({ total: count() }).from(priceChanges)
  const names = await namesOf(rows.map(row => row.actor_id))
  const oldest = rows.at(-1)
  const later = oldest ? await changesAfter(db, oldest.id) : []
  const items = rows.map(({ actor_id, ...row }) => ({
    ...row,
    actor: names.get(actor_id) ?? null,
    can_undo: !later.some(change => change.id > row.id && touchesSame(change, row)),
  }))
  return { items, total: all!.total, page, page_size: size }
}

/** Saves the texts from before a change, as a new change. @throws Refusal 404; 409 when a later one touched the same */
export async function undoPrices(actor: Actor, id: number): Promise<void> {
  const [change] = await db.select().from(priceChanges).where(eq(priceChanges.id, id))
  if (!change) throw notFound()
  await setOptions(change.before, actor, function* (tx) {
    const later = yield* run(changesAfter(tx, id))
    if (later.some(one => touchesSame(one, change))) throw new Refusal('option.price_changed_later', {}, 409)
  })
}

const changesAfter = (tx: Tx | typeof db, id: number) =>
  tx
    .select({ id: priceChanges.id, keys: priceChanges.keys })
    .from(priceChanges)
    .where(gt(priceChanges.id, id))
    .orderBy(asc(priceChanges.id))

type TouchedKeys = Pick<PriceChange, 'keys'>

const touchesSame = (one: TouchedKeys, other: TouchedKeys) => one.keys.some(key => other.keys.includes(key))

async function namesOf(ids: number[]): Promise<Map<number, string>> {
  const rows = await db.select({ id: users.id, username: users.username }).from(users).where(inArray(users.id, ids))
  return new Map(rows.map(row => [row.id, row.username]))
}
