/** API keys of another gateway: they go on working under the text that their owners have. */
import { inArray } from 'drizzle-orm'
import {
  KEY_LENGTH_MAX,
  KEY_TAIL_LENGTH,
  NEVER,
  RATE_LIMIT_COUNT_MAX,
  TokenStatus,
  tokenDefaults,
} from '../../contracts/token.ts'
import { digest, seal } from '../../crypto/sealing.ts'
import { run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { isRange } from '../../pure/ip.ts'
import { commaList, lineList } from '../../pure/lists.ts'
import { announceKeys } from '../tokens/index.ts'
import { tokens } from '../tokens/table.ts'
import { recordOpenings } from '../wallet/index.ts'
import { carryAll, type Entry, idsInOrder } from './carry.ts'
import { countNote, type Move, note } from './move.ts'
import { flag, isBroken, isDeleted, text, whole } from './row.ts'

const COLUMNS = [
  ...[
    'user_id',
    'key',
    'status',
    'name',
    'created_time',
    'accessed_time',
    'expired_time',
    'remain_quota',
    'used_quota',
  ],
  ...[
    'unlimited_quota',
    'model_limits_enabled',
    'model_limits',
    'allow_ips',
    'group',
    'deleted_at',
    'models',
    'subnet',
  ],
  ...['rate_limit_enabled', 'rate_limit_period', 'rate_limit_count', 'rate_limit_success'],
]

type TokenRow = typeof tokens.$inferInsert

export const moveTokens = (move: Move) =>
  carryAll<TokenRow>(move, {
    noun: 'token',
    table: tokens,
    batches: move.from.read('tokens', COLUMNS),
    read: async rows =>
      withoutTaken(
        move,
        rows.flatMap(row => entryOf(move, row) ?? []),
      ),
    *write(tx, entries) {
      const rows = entries.map(({ row }) => ({ ...row, user_id: move.ids.user.get(row.user_id)! }))
      const { id, key_hash } = tokens
      const made = yield* run(tx.insert(tokens).values(rows).returning({ id, key_hash }))
      const hashes = rows.map(row => row.key_hash)
      const ids = idsInOrder(made, 'key_hash', hashes)
      const used = rows.map(({ used_quota = 0 }, at) => ({ owner_id: ids[at]!, used_quota }))
      yield* recordOpenings(tx, 'token', used)
      yield* announceKeys(tx, rows)
      return ids
    },
  })

/** Printable, as a header carries it. */
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${KEY_LENGTH_MAX}}$`)

function entryOf(move: Move, row: ForeignRow): Entry<TokenRow> | undefined {
  const user_id = whole(row.user_id)
  if (isDeleted(row)) return void countNote(move, 'moving.token_deleted')
  if (!move.ids.user.has(user_id) || move.deletedUsers.has(user_id))
    return void countNote(move, 'moving.token_of_deleted')
  const id = whole(row.id)
  const name = text(row.name)
  const key = text(row.key)
  if (isBroken(name)) note(move, 'token', 'moving.text_broken', id, { name })
  if (!KEY.test(key)) return void note(move, 'token', 'moving.token_key_unusable', id, { name })
  const statuses: number[] = Object.values(TokenStatus)
  const status = whole(row.status, TokenStatus.enabled)
  return {
    source_id: id,
    row: {
      user_id,
      name: name || `token-${id}`,
      ...{ key_sealed: seal(key), key_hash: digest(key), key_tail: key.slice(-KEY_TAIL_LENGTH) },
      status: statuses.includes(status) ? status : TokenStatus.disabled,
      remain_quota: whole(row.remain_quota),
      used_quota: Math.max(0, whole(row.used_quota)),
      unlimited_quota: flag(row.unlimited_quota),
      created_time: whole(row.created_time) || now(),
      accessed_time: Math.max(0, whole(row.accessed_time)),
      expired_time: Math.max(NEVER, whole(row.expired_time, NEVER)) || NEVER,
      ...rateOf(row),
      ...limitsOf(row),
      allow_ips: addressesOf(move, id, row),
      group: text(row.group),
    },
  }
}

function rateOf(row: ForeignRow) {
  const count = (name: 'rate_limit_period' | 'rate_limit_count' | 'rate_limit_success') =>
    Math.min(RATE_LIMIT_COUNT_MAX, Math.max(0, whole(row[name], tokenDefaults[name])))
  return {
    rate_limit_enabled: flag(row.rate_limit_enabled),
    ...{ rate_limit_period: count('rate_limit_period'), rate_limit_count: count('rate_limit_count') },
    rate_limit_success: count('rate_limit_success'),
  }
}

/** one-api has a list without a switch: a list that is not empty limits. */
function limitsOf(row: ForeignRow) {
  const models = commaList(text(row.models))
  if (models.length) return { model_limits_enabled: true, model_limits: models.join(',') }
  return {
    model_limits_enabled: flag(row.model_limits_enabled),
    model_limits: commaList(text(row.model_limits)).join(','),
  }
}

/** A range that cannot be read would open the key to all: the others stay, and without any the key is open to none. */
function addressesOf(move: Move, id: number, row: ForeignRow): string {
  const wanted = [...lineList(text(row.allow_ips)), ...commaList(text(row.subnet))]
  const ranges = wanted.filter(isRange)
  if (ranges.length === wanted.length) return ranges.join('\n')
  note(move, 'token', 'moving.token_addresses', id, { name: text(row.name) })
  return (ranges.length ? ranges : [NO_ADDRESS]).join('\n')
}

/** Of documentation: no caller has it. https://www.rfc-editor.org/rfc/rfc5737 (read 2026-11) */
const NO_ADDRESS = '192.0.2.0'

/** Keys that exist here, or twice there. */
async function withoutTaken(move: Move, entries: Entry<TokenRow>[]): Promise<Entry<TokenRow>[]> {
  const hashes = entries.map(({ row }) => row.key_hash)
  const { key_hash } = tokens
  const found = hashes.length ? await db.select({ key_hash }).from(tokens).where(inArray(key_hash, hashes)) : []
  const taken = new Set(found.map(row => row.key_hash))
  return entries.filter(({ source_id, row }) => {
    const isTaken = taken.has(row.key_hash)
    if (isTaken) note(move, 'token', 'moving.token_key_taken', source_id, { name: row.name })
    taken.add(row.key_hash)
    return !isTaken
  })
}
