/** Finds entries of the usage log by a keyword, for clients that have one field for everything. */
import { and, desc, eq, or } from 'drizzle-orm'
import { LOGS_FOUND_MAX } from '../../contracts/log.ts'
import { db } from '../../db/database.ts'
import { startsWith, unindexed } from '../../db/fragments.ts'
import { during } from './search.ts'
import { isRare, type LogRow, logs } from './table.ts'

/** The newest 100 entries of the type with this number, or with a content that begins so. Consumption has no content. */
export function findByKeyword(keyword: string, user_id?: number): Promise<LogRow[]> {
  const type = unindexed(logs.type)
  const isOfType = /^\d{1,2}$/.test(keyword) ? eq(type, Number(keyword)) : undefined
  return db
    .select()
    .from(logs)
    .where(
      and(
        during({}),
        user_id === undefined ? undefined : eq(logs.user_id, user_id),
        or(isOfType, and(isRare(type), startsWith(logs.content, keyword))),
      ),
    )
    .orderBy(desc(logs.created_at), desc(logs.id))
    .limit(LOGS_FOUND_MAX)
}
