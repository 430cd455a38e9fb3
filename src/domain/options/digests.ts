/** Digests of options as they were read, by which a save finds out that someone else has changed them. */
import { inArray } from 'drizzle-orm'
import { Refusal } from '../../contracts/refusal.ts'
import { sign, unseal } from '../../crypto/sealing.ts'
import { run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { catalog, type OptionKey } from './catalog.ts'
import { currentOptions, type OptionState, storedForm } from './service.ts'
import { options } from './table.ts'

export type OptionDigests = { readonly [Key in OptionKey]?: string }

const DIGEST_LENGTH = 16

/** Keyed: the digest of a secret tells nothing about it. */
const digestOf = (text: string) => sign('option', text).slice(0, DIGEST_LENGTH)

export const optionDigest = (key: OptionKey, state: Pick<OptionState, 'text'> = currentOptions()): string =>
  digestOf(state.text(key))

/**
 * A step before a save. Reads the database: another node may have changed what this one remembers.
 * @throws Refusal 409 at the field of an option that has changed since it was read
 */
export function* checkUnchanged(tx: Tx, read: OptionDigests) {
  const keys = Object.keys(read) as OptionKey[]
  if (!keys.length) return
  const rows = yield* run(tx.select().from(options).where(inArray(options.key, keys)))
  const stored = new Map(rows.map(row => [row.key, row.value]))
  for (const key of keys) {
    if (digestOf(canonical(key, stored.get(key))) === read[key]) continue
    throw new Refusal('option.price_changed_meanwhile', { key }, 409, key)
  }
}

/** The text as this node would write it. */
function canonical(key: OptionKey, stored: string | undefined): string {
  if (stored === undefined) return currentOptions().text(key)
  try {
    return storedForm(key, catalog[key].secret ? unseal(stored) : stored)
  } catch {
    return currentOptions().text(key)
  }
}
