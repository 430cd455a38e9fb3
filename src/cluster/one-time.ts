/** One-time secrets: codes by mail, reset links, states of a third-party sign-in. Only their hash is stored. */
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { isEqual, sign } from '../crypto/sealing.ts'
import { atomic, run } from '../db/atomic.ts'
import { db, type Tx } from '../db/database.ts'
import { now } from '../process/clock.ts'
import { oneTimeSecrets as rows } from './table.ts'

/** What secrets are for: one of a purpose is worthless for another. */
export const PURPOSES = [
  'email',
  'reset',
  'browser',
  'sign-in',
  'human-check',
  'telegram',
  'oauth any',
  'oauth github',
  'oauth oidc',
  'oauth linuxdo',
  'oauth telegram',
  'passkey-add',
  'passkey-confirm',
  'passkey-second-factor',
  'passkey-sign-in',
] as const
export type Purpose = (typeof PURPOSES)[number]

/** There is at most one secret for a purpose and a subject. */
export interface OneTimeKey {
  purpose: Purpose
  subject: string
}

interface NewSecret extends OneTimeKey {
  secret: string
  /** Lifetime. */
  seconds: number
  /** Given back by `takeSecret`; sealed at rest. */
  data?: string
  /** Seconds since the last secret of this key before which none is issued. */
  spacing_seconds?: number
}

/** Attempts with a secret, right or wrong, before it is dead. */
const TRIES_MAX = 5

const hashOf = ({ purpose, subject }: OneTimeKey, secret: string) =>
  sign('one-time', `${purpose}\n${subject}\n${secret}`)

const isKey = ({ purpose, subject }: OneTimeKey) => and(eq(rows.purpose, purpose), eq(rows.subject, subject))

/** Stores a secret in place of the last one of its key. @returns 0, or the seconds to wait until one may be issued */
export const issueSecret = (secret: NewSecret): Promise<number> => atomic(tx => storeSecret(tx, secret))

/** `issueSecret` as part of a transaction. */
export function* storeSecret(tx: Tx, { secret, seconds, data = '', spacing_seconds = 0, ...key }: NewSecret) {
  const at = now()
  yield* run(tx.delete(rows).where(lt(rows.expires_time, at)))
  const row = { ...key, hash: hashOf(key, secret), data, tries: 0, created_time: at, expires_time: at + seconds }
  const [issued] = yield* run(
    tx
      .insert(rows)
      .values(row)
      .onConflictDoUpdate({
        target: [rows.purpose, rows.subject],
        set: row,
        // Guards against two requests in the same moment.
        setWhere: sql`${rows.created_time} <= ${at - spacing_seconds}`,
      })
      .returning({ created_time: rows.created_time }),
  )
  if (issued) return 0
  const [last] = yield* run(tx.select({ created_time: rows.created_time }).from(rows).where(isKey(key)))
  return Math.max(1, (last?.created_time ?? at) + spacing_seconds - at)
}

/** Whether the secret is right and alive. Counts as one of its attempts, by default five, and leaves it usable. */
export async function checkSecret(key: OneTimeKey, secret: string, tries_max = TRIES_MAX): Promise<boolean> {
  const [row] = await db
    .update(rows)
    .set({ tries: sql`${rows.tries} + 1` })
    .where(and(isKey(key), lt(rows.tries, tries_max), gt(rows.expires_time, now())))
    .returning({ hash: rows.hash })
  return row !== undefined && isEqual(hashOf(key, secret), row.hash)
}

/** The data of a live secret that leaves it usable and counts as no attempt: only for secrets too long to guess. */
export async function readSecret(key: OneTimeKey, secret: string): Promise<string | undefined> {
  const [row] = await db
    .select({ data: rows.data })
    .from(rows)
    .where(and(isKey(key), eq(rows.hash, hashOf(key, secret)), gt(rows.expires_time, now())))
  return row?.data
}

/** Uses the secret up: of two transactions only one gets it. @returns its data; undefined when it is wrong, used or expired */
export function* takeSecret(tx: Tx, key: OneTimeKey, secret: string) {
  const [row] = yield* run(
    tx
      .delete(rows)
      .where(and(isKey(key), eq(rows.hash, hashOf(key, secret)), gt(rows.expires_time, now())))
      .returning({ data: rows.data }),
  )
  return row?.data
}
