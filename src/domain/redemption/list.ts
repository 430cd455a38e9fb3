/** Reads redemption codes and their uses, newest first. */
import { and, desc, eq, gte, inArray, isNull, lt, ne, not, or, type SQL } from 'drizzle-orm'
import type { Listing, Paging } from '../../contracts/paging.ts'
import {
  CODE_TAIL_LENGTH,
  type CodeFilter,
  type CodeStateName,
  type Redemption,
  RedemptionStatus,
  type RedemptionUse,
  UNLIMITED_USES,
} from '../../contracts/redemption.ts'
import { notFound } from '../../contracts/refusal.ts'
import { digest, unsealedOrBlank } from '../../crypto/sealing.ts'
import { batchesOf } from '../../db/batches.ts'
import { db } from '../../db/database.ts'
import { count, startsWith } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { users } from '../users/table.ts'
import { redemptions as codes, type RedemptionRow, redemptionUses as uses } from './table.ts'
import { fillTails } from './tail.ts'

/** Search of a list. */
export interface CodeSearch extends CodeFilter {
  ids?: number[]
}

export async function listCodes(search: CodeSearch, { page, size, offset }: Paging): Promise<Listing<Redemption>> {
  if (search.keyword?.trim().length === CODE_TAIL_LENGTH) await fillTails()
  const condition = conditionOf(search)
  const rows = await select(condition).limit(size).offset(offset)
  const [all] = await db.select({ total: count() }).from(codes).where(condition)
  return { items: rows.map(viewOf), total: all!.total, page, page_size: size }
}

/** Every match, in batches. */
export const walkCodes = (search: CodeSearch): AsyncGenerator<Redemption[]> =>
  batchesOf(async (last, size) => {
    const rows = await select(and(conditionOf(search), last && lt(codes.id, last.id))).limit(size)
    return rows.map(viewOf)
  })

/** @throws Refusal 404 */
export async function codeOf(id: number): Promise<Redemption> {
  const [code] = await codesOf([id])
  if (!code) throw notFound('redemption.not_found')
  return code
}

/** The codes with these ids that are not deleted. */
export const codesOf = async (ids: number[]): Promise<Redemption[]> => (await select(conditionOf({ ids }))).map(viewOf)

/** Who used a code, and when. */
export async function usesOf(id: number, { page, size, offset }: Paging): Promise<Listing<RedemptionUse>> {
  const { user_id, quota, used_time } = uses
  const condition = eq(uses.redemption_id, id)
  const items = await db
    .select({ user_id, quota, used_time, username: users.username })
    .from(uses)
    .innerJoin(users, eq(users.id, user_id))
    .where(condition)
    .orderBy(desc(used_time), desc(user_id))
    .limit(size)
    .offset(offset)
  const [all] = await db.select({ total: count() }).from(uses).where(condition)
  return { items, total: all!.total, page, page_size: size }
}

const select = (condition: SQL | undefined) =>
  db
    .select({ code: codes, used_username: users.username })
    .from(codes)
    .leftJoin(users, eq(users.id, codes.used_user_id))
    .where(condition)
    .orderBy(desc(codes.id))

const conditionOf = ({ keyword = '', state, ids }: CodeSearch) =>
  and(
    isNull(codes.deleted_time),
    ids && inArray(codes.id, ids),
    state && inState[state](now()),
    keyword.trim() ? matches(keyword, keyword.trim()) : undefined,
  )

const matches = (keyword: string, key: string) =>
  or(
    /^\d{1,15}$/.test(keyword) ? eq(codes.id, Number(keyword)) : undefined,
    startsWith(codes.name, keyword),
    eq(codes.key_hash, digest(key)),
    key.length === CODE_TAIL_LENGTH ? eq(codes.key_tail, key) : undefined,
  )

/** In the order of `stateOf` of the page: a code without uses left is used, also after its end. */
const inState: Record<CodeStateName, (at: number) => SQL | undefined> = {
  unused: at => and(isUnused, not(hasNoUses), not(hasEnded(at))),
  used: () => or(eq(codes.status, RedemptionStatus.used), hasNoUses),
  expired: at => and(isUnused, not(hasNoUses), hasEnded(at)),
  disabled: () => and(eq(codes.status, RedemptionStatus.disabled), not(hasNoUses)),
}

const isUnused = eq(codes.status, RedemptionStatus.unused)
const hasNoUses = and(
  eq(codes.is_gift, true),
  ne(codes.max_uses, UNLIMITED_USES),
  gte(codes.used_count, codes.max_uses),
)!
const hasEnded = (at: number) => and(ne(codes.valid_until, 0), lt(codes.valid_until, at))!

/** The row as administrators see it: with the key, without its hash. */
function viewOf({ code, used_username }: { code: RedemptionRow; used_username: string | null }): Redemption {
  const { key_sealed, key_hash, key_tail, deleted_time, ...shown } = code
  return {
    ...shown,
    key: unsealedOrBlank(key_sealed),
    count: 0,
    used_username: used_username ?? '',
    DeletedAt: null,
  }
}
