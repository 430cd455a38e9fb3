/** The API keys of a channel: parsed, masked, and locked together with their channel's row. */
import { eq } from 'drizzle-orm'
import { digest, unseal } from '../../crypto/sealing.ts'
import { lock, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { keysIn, providerOf } from '../../providers/index.ts'
import { channels, disabledKeys } from '../channels/table.ts'

/** The keys in a text, as the provider of this type writes them; none for an unknown type. */
export const keysOf = (text: string, type: number): string[] => {
  const provider = providerOf(type)
  return provider ? keysIn(provider, text) : []
}

const MASKED_LENGTH_MIN = 12
const MASK_EDGE_LENGTH = 4

/**
 * First and last four characters, enough to tell keys apart: `sk-a…9fQ2`. Keys under 12 characters become `…`. JSON
 * documents all have the same edges: of them, four characters of the digest are shown.
 */
export function maskKey(key: string): string {
  if (key.length < MASKED_LENGTH_MIN) return '…'
  if (key.startsWith('{')) return `{…${digest(key).slice(0, MASK_EDGE_LENGTH)}}`
  return `${key.slice(0, MASK_EDGE_LENGTH)}…${key.slice(-MASK_EDGE_LENGTH)}`
}

/** Locks a channel's row until the transaction ends. @returns the row with its keys; undefined when it is deleted. */
export function* lockChannel(tx: Tx, id: number) {
  const [row] = yield* lock(tx, channels, eq(channels.id, id))
  return row && { ...row, keys: keysOf(unseal(row.key_sealed), row.type) }
}

/** The keys of a locked channel that are not disabled. */
export function* enabledKeys(tx: Tx, { id, keys }: { id: number; keys: string[] }) {
  const disabled = yield* run(tx.select().from(disabledKeys).where(eq(disabledKeys.channel_id, id)))
  return keys.filter(key => disabled.every(row => row.key_hash !== digest(key)))
}
