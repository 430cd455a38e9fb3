/** Every column that is sealed under the installation's secret. */
import { and, asc, type Column, desc, eq, inArray, type SQL, sql, type Table } from 'drizzle-orm'
import { idempotencyKeys, oneTimeSecrets } from '../../cluster/table.ts'
import type { Sealer } from '../../crypto/sealing.ts'
import { run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { backgroundEvents, backgroundResponses } from '../background-responses/table.ts'
import { channels } from '../channels/table.ts'
import { mails } from '../mail/table.ts'
import { webhooks } from '../notices/table.ts'
import { secretKeys } from '../options/index.ts'
import { options } from '../options/table.ts'
import { redemptions } from '../redemption/table.ts'
import { tokens } from '../tokens/table.ts'
import { authenticators } from '../two-factor/table.ts'
import { users } from '../users/table.ts'
import { secretMarks } from './table.ts'

interface SealedColumn {
  table: Table
  /** Name of the sealed field. */
  field: string
  /** The primary key. */
  key: Column[]
  /** The rows in which it is sealed, if not all. */
  where?: SQL
}

const sealed = <Rows extends Table>(table: Rows, field: keyof Rows & string, key: Column[], where?: SQL) => ({
  ...{ table, field, key, where },
})

export const sealedColumns: SealedColumn[] = [
  sealed(tokens, 'key_sealed', [tokens.id]),
  sealed(channels, 'key_sealed', [channels.id]),
  sealed(channels, 'setting', [channels.id]),
  sealed(options, 'value', [options.key], inArray(options.key, secretKeys)),
  sealed(users, 'setting', [users.id]),
  sealed(authenticators, 'secret', [authenticators.user_id]),
  sealed(redemptions, 'key_sealed', [redemptions.id]),
  sealed(mails, 'text', [mails.id]),
  sealed(mails, 'html', [mails.id]),
  sealed(webhooks, 'notice', [webhooks.id]),
  sealed(oneTimeSecrets, 'data', [oneTimeSecrets.purpose, oneTimeSecrets.subject]),
  sealed(backgroundResponses, 'response', [backgroundResponses.id]),
  sealed(backgroundEvents, 'events', [backgroundEvents.response_id, backgroundEvents.first]),
  sealed(secretMarks, 'mark', [secretMarks.id]),
  sealed(idempotencyKeys, 'answer', [idempotencyKeys.user_id, idempotencyKeys.action, idempotencyKeys.key]),
]

const columnOf = ({ table, field }: SealedColumn) => table[field as keyof Table] as unknown as Column
/** The text as it is stored: a column by itself would be unsealed. */
const stored = (column: SealedColumn) => sql<string>`${columnOf(column)}`
const isPresent = (column: SealedColumn) => and(column.where, sql`${columnOf(column)} <> ''`)

/** The oldest and the newest sealed text of each column. */
export async function sealedSamples(columns = sealedColumns): Promise<string[]> {
  const read = (column: SealedColumn, order: typeof asc) =>
    db
      .select({ text: stored(column) })
      .from(column.table as typeof tokens)
      .where(isPresent(column))
      .orderBy(...column.key.map(order))
      .limit(1)
  const found = await Promise.all(columns.flatMap(column => [read(column, asc), read(column, desc)]))
  return found.flat().map(({ text }) => text)
}

const ROWS_MAX = 1000

/** Seals a column anew, row by row. @returns how many texts were, and how many neither secret opens and stay as they are */
export function* reseal(tx: Tx, column: SealedColumn, from: Sealer, to: Sealer) {
  const keys = Object.fromEntries(column.key.map((part, index) => [`key${index}`, sql<unknown>`${part}`]))
  const counts = { sealed: 0, lost: 0 }
  let last: unknown[] | undefined
  for (;;) {
    const rows: Record<string, unknown>[] = yield* run(
      tx
        .select({ text: stored(column), ...keys })
        .from(column.table as typeof tokens)
        .where(and(isPresent(column), last && isAfter(column.key, last)))
        .orderBy(...column.key.map(part => asc(part)))
        .limit(ROWS_MAX),
    )
    for (const { text, ...key } of rows) {
      last = Object.values(key)
      const opened = from.unseal(String(text))
      if (opened === undefined) {
        counts.lost++
        continue
      }
      const isRow = and(...column.key.map((part, index) => eq(part, key[`key${index}`])))
      const change = { [column.field]: sql`${to.seal(opened)}` }
      yield* run(
        tx
          .update(column.table as typeof tokens)
          .set(change)
          .where(isRow),
      )
      counts.sealed++
    }
    if (rows.length < ROWS_MAX) return counts
  }
}

const isAfter = (key: Column[], last: unknown[]) =>
  sql`(${sql.join(key, sql`, `)}) > (${sql.join(
    last.map((value, index) => sql.param(value, key[index])),
    sql`, `,
  )})`
