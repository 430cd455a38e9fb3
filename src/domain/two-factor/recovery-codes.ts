/** Recovery codes: ten that each stand once for a lost second factor. */
import { randomBytes } from 'node:crypto'
import { and, count, eq, like } from 'drizzle-orm'
import { Refusal } from '../../contracts/refusal.ts'
import { RECOVERY_CODES } from '../../contracts/security.ts'
import { digest } from '../../crypto/sealing.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { users } from '../users/table.ts'
import { authenticators, passkeys, recoveryCodes as rows } from './table.ts'

/** 32 characters that are not mistaken for each other. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
/** 80 bits: too many to guess even with the hashes at hand. */
const LENGTH = 16
const GROUP = 4

/** `abcd-efgh-jkmn-pqrs` */
function newCode(): string {
  const letters = Array.from(randomBytes(LENGTH), byte => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-')
}

/** Case, blanks and dashes of a typed code do not matter. */
const hashOf = (code: string) => digest(code.toLowerCase().replace(/[\s-]/g, ''))

/** Replaces all codes of a user. @returns the new ones, which are stored as hashes only @throws Refusal without a second factor */
export const renewRecoveryCodes = (user_id: number) =>
  atomic(function* (tx) {
    if (!(yield* hasFactorIn(tx, user_id))) throw new Refusal('security.codes_needs_factor')
    return yield* replaceCodes(tx, user_id)
  })

function* replaceCodes(tx: Tx, user_id: number) {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  const created_time = now()
  // Of two requests at once the second replaces the codes of the first.
  yield* lock(tx, users, eq(users.id, user_id))
  yield* run(tx.delete(rows).where(eq(rows.user_id, user_id)))
  yield* run(tx.insert(rows).values(codes.map(code => ({ user_id, hash: hashOf(code), created_time }))))
  return codes
}

/** Codes for a user who has just added a first second factor; undefined for one who has codes. */
export function* firstRecoveryCodes(tx: Tx, user_id: number) {
  const [left] = yield* run(tx.select({ id: rows.id }).from(rows).where(eq(rows.user_id, user_id)).limit(1))
  return left ? undefined : yield* replaceCodes(tx, user_id)
}

/** Deletes the codes of a user without any second factor. */
export function* dropUnusedCodes(tx: Tx, user_id: number) {
  if (!(yield* hasFactorIn(tx, user_id))) yield* run(tx.delete(rows).where(eq(rows.user_id, user_id)))
}

function* hasFactorIn(tx: Tx, user_id: number) {
  const [app] = yield* run(tx.select().from(authenticators).where(eq(authenticators.user_id, user_id)))
  const [passkey] = yield* run(tx.select().from(passkeys).where(eq(passkeys.user_id, user_id)).limit(1))
  return passkey !== undefined || Boolean(app?.confirmed_time)
}

/** Whether it is a code of this user that was left. */
export async function takeRecoveryCode(user_id: number, code: string): Promise<boolean> {
  const used = await db
    .delete(rows)
    .where(and(eq(rows.user_id, user_id), eq(rows.hash, hashOf(code))))
    .returning({ id: rows.id })
  return used.length > 0 || takeImportedCode(user_id, code)
}

/** Of another gateway: bcrypt of the code as it was shown, or without dashes. */
async function takeImportedCode(user_id: number, code: string): Promise<boolean> {
  const own = await db
    .select({ id: rows.id, hash: rows.hash })
    .from(rows)
    .where(and(eq(rows.user_id, user_id), like(rows.hash, '$2%')))
  const texts = new Set([code.trim(), code.toUpperCase().replace(/[\s-]/g, '')])
  for (const { id, hash } of own)
    for (const text of texts) {
      if (!(await Bun.password.verify(text, hash).catch(() => false))) continue
      const used = await db.delete(rows).where(eq(rows.id, id)).returning({ id: rows.id })
      return used.length > 0
    }
  return false
}

export async function countRecoveryCodes(user_id: number): Promise<number> {
  const [row] = await db.select({ left: count() }).from(rows).where(eq(rows.user_id, user_id))
  return row!.left
}
