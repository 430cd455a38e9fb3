/** Tokens of a user as lists and exports search them. */
import { and, desc, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Listing, Paging } from '../../contracts/paging.ts'
import { KEY_PREFIX, KEY_TAIL_LENGTH, TOKENS_PER_USER_MAX, type Token } from '../../contracts/token.ts'
import { unsealedOrBlank } from '../../crypto/sealing.ts'
import { batchesOf } from '../../db/batches.ts'
import { db } from '../../db/database.ts'
import { contains, count } from '../../db/fragments.ts'
import { ofUser, viewOf } from './service.ts'
import { tokens } from './table.ts'

/** Search of a list. A key is found by any part; up to four characters match its end, as lists show it. */
export interface TokenSearch {
  name?: string
  key?: string
  /** Matches the name or the key. */
  text?: string
}

/** One page of a user's tokens, newest first. */
export async function listTokens(
  user_id: number,
  { page, size, offset }: Paging,
  search: TokenSearch = {},
): Promise<Listing<Token>> {
  const condition = and(ofUser(user_id), ...(await conditionsOf(user_id, search)))
  const rows = await db.select().from(tokens).where(condition).orderBy(desc(tokens.id)).limit(size).offset(offset)
  const [all] = await db.select({ total: count() }).from(tokens).where(condition)
  return { items: rows.map(viewOf), total: all!.total, page, page_size: size }
}

/** Every match, newest first, in batches. */
export async function* walkTokens(user_id: number, search: TokenSearch): AsyncGenerator<Token[]> {
  const condition = and(ofUser(user_id), ...(await conditionsOf(user_id, search)))
  yield* batchesOf<Token>(async (last, size) => {
    const behind = and(condition, last && lt(tokens.id, last.id))
    return (await db.select().from(tokens).where(behind).orderBy(desc(tokens.id)).limit(size)).map(viewOf)
  })
}

async function conditionsOf(user_id: number, { name, key, text }: TokenSearch): Promise<(SQL | undefined)[]> {
  return [
    name ? contains(tokens.name, name) : undefined,
    key ? await hasKey(user_id, key) : undefined,
    text ? or(contains(tokens.name, text), await hasKey(user_id, text)) : undefined,
  ]
}

async function hasKey(user_id: number, text: string): Promise<SQL> {
  const part = text.startsWith(KEY_PREFIX) ? text.slice(KEY_PREFIX.length) : text
  const { id, key_tail } = tokens
  // A key from another gateway may be shorter than its tail is elsewhere.
  if (part.length <= KEY_TAIL_LENGTH)
    return sql`substr(${key_tail}, length(${key_tail}) - ${part.length - 1}) = ${part}`
  return inArray(id, await idsWith(part, user_id))
}

/** What a key has: of Tollgate letters and digits, of another gateway all that a header carries. */
const OF_KEY = /^[\x21-\x7e]+$/

/** Keys are sealed, so all keys of the user are unsealed to search in them. */
async function idsWith(part: string, user_id: number): Promise<number[]> {
  if (!OF_KEY.test(part)) return []
  const { id, key_sealed } = tokens
  const sealed = await db
    .select({ id, key_sealed })
    .from(tokens)
    .where(ofUser(user_id))
    .orderBy(desc(tokens.id))
    .limit(TOKENS_PER_USER_MAX)
  return sealed.filter(row => unsealedOrBlank(row.key_sealed).includes(part)).map(row => row.id)
}
