/** Tokens as their owners manage them. Every `where` has the owner's id: other users' tokens are not found. */
import { and, desc, eq, gt, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { announce } from '../../cluster/changes.ts'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import type { SessionUser } from '../../contracts/account.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import {
  isExpired,
  KEY_LENGTH,
  KEY_PREFIX,
  KEY_TAIL_LENGTH,
  NEVER,
  type NewToken,
  statusAt,
  TOKEN_NAME_MAX,
  TOKENS_PER_USER_MAX,
  type Token,
  type TokenEdit,
  TokenStatus,
  tokenDefaults,
} from '../../contracts/token.ts'
import { randomKey } from '../../crypto/random-id.ts'
import { digest, seal, unsealedOrBlank } from '../../crypto/sealing.ts'
import { atomic, lock, run, type Work } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { count } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { isRange } from '../../pure/ip.ts'
import { lineList } from '../../pure/lists.ts'
import { usableGroups } from '../pricing/index.ts'
import { users } from '../users/table.ts'
import { checkFallbacks } from './fallback-groups.ts'
import { checkFallbackModels } from './fallback-models.ts'
import { announceKeys } from './lookup.ts'
import { type TokenRow, tokens } from './table.ts'

export type { TokenRow }

/** @throws Refusal 404 */
export async function tokenOf(user_id: number, id: number): Promise<Token> {
  const [row] = await db.select().from(tokens).where(own(user_id, id))
  if (!row) throw notFound('token.not_found')
  return viewOf(row)
}

/** The newest token of a user that can make calls. */
export async function firstUsableToken(user_id: number): Promise<Token | undefined> {
  const [row] = await db
    .select()
    .from(tokens)
    .where(and(ofUser(user_id), eq(tokens.status, TokenStatus.enabled), isUsable()))
    .orderBy(desc(tokens.id))
    .limit(1)
  return row && viewOf(row)
}

/** The id of a user's token by its whole key. @throws Refusal 404, the same for unknown keys and those of other users */
export async function tokenIdByKey(user_id: number, key: string): Promise<number> {
  const text = key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : key
  const [row] = await db
    .select({ id: tokens.id })
    .from(tokens)
    .where(and(eq(tokens.key_hash, digest(text)), ofUser(user_id)))
  if (!row) throw notFound('token.not_found')
  return row.id
}

/** The user's tokens among these ids, newest first. */
export async function tokensOf(user_id: number, ids: number[]): Promise<Token[]> {
  const rows = await db.select().from(tokens).where(ownAmong(user_id, ids)).orderBy(desc(tokens.id))
  return rows.map(viewOf)
}

/** Names of these tokens, deleted ones included. */
export const tokenNames = (ids: number[]): Promise<Pick<TokenRow, 'id' | 'name' | 'user_id'>[]> => {
  const { id, name, user_id } = tokens
  return db.select({ id, name, user_id }).from(tokens).where(inArray(id, ids)).orderBy(id)
}

/** What is saved with a token, in its transaction. */
type WithToken = (tx: Tx, id: number) => ReturnType<Work<void>>

/**
 * Creates `count` tokens with equal settings, or none. Each after the first gets a random suffix to its name.
 * @param key of a request that may be repeated
 * @throws Refusal 400 for invalid settings, or above the limit of tokens per user
 */
export async function createTokens(
  owner: SessionUser,
  { count: copies, ...fields }: NewToken,
  key?: RepeatKey,
  withToken?: WithToken,
): Promise<Token[]> {
  check(owner, fields)
  if (isExpired({ ...fields, status: TokenStatus.enabled }, now())) throw badField('token.expiry_past', 'expired_time')
  const names = Array.from({ length: copies }, (_, index) => (index ? withSuffix(fields.name) : fields.name))
  const rows = names.map(name => ({ ...fields, name, ...newKey(), user_id: owner.id, created_time: now() }))
  return atomic(tx =>
    oncePerKey(tx, { user_id: owner.id, action: 'token.create', key, body: { copies, ...fields } }, function* () {
      yield* checkRoom(tx, owner.id, copies)
      const made = yield* run(tx.insert(tokens).values(rows).returning())
      yield* announceKeys(tx, made)
      if (withToken) for (const { id } of made) yield* withToken(tx, id)
      return made.map(viewOf).sort((a, b) => a.id - b.id)
    }),
  )
}

/** @throws Refusal 400 when the user would have more tokens than the limit */
function* checkRoom(tx: Tx, user_id: number, more: number) {
  // Under the user's lock, a concurrent request counts the tokens of this one.
  yield* lock(tx, users, eq(users.id, user_id))
  const [before] = yield* run(tx.select({ total: count() }).from(tokens).where(ofUser(user_id)))
  if (before!.total + more > TOKENS_PER_USER_MAX)
    throw badField('token.too_many_owned', 'count', { max: TOKENS_PER_USER_MAX })
}

/** Adds a token that does not expire, for a user who is being created. */
export function* addFirstToken(tx: Tx, user_id: number, { name, quota }: { name: string; quota: number }) {
  const limits = { ...tokenDefaults, remain_quota: quota, unlimited_quota: quota === 0 }
  const row = { ...limits, name, ...newKey(), user_id, created_time: now() }
  yield* run(tx.insert(tokens).values(row))
  yield* announceKeys(tx, [row])
}

/**
 * Changes the given fields. An expired or exhausted token is enabled when the cause is gone.
 * @throws Refusal 400 or 404
 */
export async function editToken(
  owner: SessionUser,
  { id, used_quota, ...changes }: TokenEdit,
  withToken?: WithToken,
): Promise<Token> {
  check(owner, changes, await tokenOf(owner.id, id))
  const { remain_quota } = changes
  const quota = remain_quota === undefined ? {} : { remain_quota: lessUsedSince(used_quota, remain_quota) }
  const row = await atomic(function* (tx) {
    // Setting the id to itself lets an edit be empty.
    const [edited] = yield* run(
      tx
        .update(tokens)
        .set({ ...changes, ...quota, id })
        .where(own(owner.id, id))
        .returning(),
    )
    if (!edited) throw notFound('token.not_found')
    const where = and(eq(tokens.id, id), wasStopped, isUsable())
    const [usable] = yield* run(tx.update(tokens).set(enabled).where(where).returning())
    yield* announce(tx, 'token', [id])
    if (withToken) yield* withToken(tx, id)
    return usable ?? edited
  })
  return viewOf(row)
}

/** @throws Refusal for an expired or exhausted token: its owner must change the expiry or the quota first */
export async function enableToken(user_id: number, id: number): Promise<Token> {
  const row = await atomic(function* (tx) {
    const where = and(own(user_id, id), isUsable())
    return (yield* announced(tx, run(tx.update(tokens).set(enabled).where(where).returning())))[0]
  })
  if (!row) {
    const token = await tokenOf(user_id, id)
    throw new Refusal(isExpired(token, now()) ? 'token.cannot_enable_expired' : 'token.cannot_enable_exhausted')
  }
  return viewOf(row)
}

/** Disables those of the user's tokens among these ids that are not. @returns them */
export const disableTokens = (user_id: number, ids: number[]) =>
  change(and(ownAmong(user_id, ids), ne(tokens.status, TokenStatus.disabled)), { status: TokenStatus.disabled })

/**
 * Takes back that these tokens were disabled. Those that were enabled or deleted since stay as they are.
 * An expired or exhausted one is shown as such again.
 */
export const undoDisabling = (user_id: number, ids: number[]) =>
  change(and(ownAmong(user_id, ids), eq(tokens.status, TokenStatus.disabled)), enabled)

/** Deletes the user's tokens among these ids; their log entries stay. */
export const deleteTokens = (user_id: number, ids: number[]) => change(ownAmong(user_id, ids), { deleted_time: now() })

const RESTORABLE_SECONDS = 900

/** Undoes the deletion of the user's tokens among these ids, within 15 minutes. @throws Refusal 400 above the limit of tokens */
export async function restoreTokens(user_id: number, ids: number[]): Promise<Token[]> {
  const wasDeleted = gt(tokens.deleted_time, now() - RESTORABLE_SECONDS)
  const deleted = and(inArray(tokens.id, ids), eq(tokens.user_id, user_id), wasDeleted)
  const rows = await atomic(function* (tx) {
    yield* checkRoom(tx, user_id, ids.length)
    return yield* announced(tx, run(tx.update(tokens).set({ deleted_time: null }).where(deleted).returning()))
  })
  return rows.map(viewOf)
}

async function change(where: SQL | undefined, values: Partial<TokenRow>): Promise<Token[]> {
  const rows = await atomic(function* (tx) {
    // In the order of ids, as settling locks them.
    yield* lock(tx, tokens, where)
    return yield* announced(tx, run(tx.update(tokens).set(values).where(where).returning()))
  })
  return rows.map(viewOf)
}

/** Tells every node of the rows that a statement has changed. @returns them */
function* announced(tx: Tx, changing: ReturnType<typeof run<TokenRow[]>>) {
  const rows = yield* changing
  yield* announce(
    tx,
    'token',
    rows.map(({ id }) => id),
  )
  return rows
}

/** @throws Refusal 400 for an invalid IP address, or groups and models that the key cannot fall back to */
function check(owner: SessionUser, fields: Partial<NewToken>, before?: Token) {
  const { allow_ips, group } = fields
  const invalid = lineList(allow_ips ?? '').find(line => !isRange(line))
  if (invalid) throw badField('token.ip_invalid', 'allow_ips', { address: invalid })
  if (group && group !== before?.group && !(group in usableGroups(owner.group)))
    throw badField('token.group_unusable', 'group', { group })
  checkFallbacks(owner, fields, before)
  checkFallbackModels(owner, fields, before)
}

type BadField = 'token.ip_invalid' | 'token.group_unusable' | 'token.expiry_past' | 'token.too_many_owned'
const badField = (code: BadField, field: string, facts = {}) => new Refusal(code, facts, 400, field)

const SUFFIX_LENGTH = 6

/** A long name is cut to leave room for the suffix. */
const withSuffix = (name: string) =>
  `${[...name].slice(0, TOKEN_NAME_MAX - SUFFIX_LENGTH - 1).join('')}-${randomKey(SUFFIX_LENGTH)}`

export function newKey() {
  const key = randomKey(KEY_LENGTH)
  return { key_sealed: seal(key), key_hash: digest(key), key_tail: key.slice(-KEY_TAIL_LENGTH) }
}

/** The quota that the owner entered, less what calls have used since the form was loaded (`seen`). */
const lessUsedSince = (seen: number | undefined, quota: number) =>
  seen === undefined
    ? quota
    : sql<number>`case when ${tokens.used_quota} > ${seen} and not ${tokens.unlimited_quota}
        then ${quota} - (${tokens.used_quota} - ${seen}) else ${quota} end`

export const ofUser = (user_id: number) => and(eq(tokens.user_id, user_id), isNull(tokens.deleted_time))
export const own = (user_id: number, id: number) => and(eq(tokens.id, id), ofUser(user_id))
const ownAmong = (user_id: number, ids: number[]) => and(inArray(tokens.id, ids), ofUser(user_id))

const enabled = { status: TokenStatus.enabled }
const wasStopped = inArray(tokens.status, [TokenStatus.expired, TokenStatus.exhausted])

/** Neither expired nor exhausted. */
const isUsable = () =>
  and(
    or(eq(tokens.expired_time, NEVER), gt(tokens.expired_time, now())),
    or(eq(tokens.unlimited_quota, true), gt(tokens.remain_quota, 0)),
  )

/** The row as its owner sees it: with the key, without hashes. */
export function viewOf({ key_sealed, key_hash, key_tail, deleted_time, ...token }: TokenRow): Token {
  return { ...token, key: unsealedOrBlank(key_sealed), status: statusAt(token, now()), DeletedAt: null }
}
