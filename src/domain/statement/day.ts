/** The usage of a day in a statement, by models and API keys. */
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { db } from '../../db/database.ts'
import { total } from '../../db/fragments.ts'
import { usageHours } from '../usage/table.ts'

const DAY_SECONDS = 86_400

/** @param start unix seconds of the first hour of UTC. @returns charged quota: a refund is an entry of its own */
export const usageOfDay = (user_id: number, start: number) =>
  db
    .select({
      model: usageHours.model,
      token_id: usageHours.token_id,
      calls: total(usageHours.calls),
      quota: total(sql`${usageHours.quota} + ${usageHours.refunded}`),
    })
    .from(usageHours)
    .where(and(eq(usageHours.user_id, user_id), gte(usageHours.hour, start), lt(usageHours.hour, start + DAY_SECONDS)))
    .groupBy(usageHours.model, usageHours.token_id)
