/** Where sealed texts stand in the database, and how all of them are sealed under another secret. */
import { type SQL, sql } from 'drizzle-orm'
import { resealer } from '../crypto/sealing.ts'
import { rawQuery, run } from '../db/atomic.ts'
import type { Tx } from '../db/database.ts'

interface SealedColumns {
  table: string
  /** The primary key. */
  key: string[]
  columns: string[]
}

export const sealedColumns: SealedColumns[] = [
  { table: 'authenticators', key: ['user_id'], columns: ['secret'] },
  { table: 'channels', key: ['id'], columns: ['key_sealed', 'setting'] },
  { table: 'idempotency_keys', key: ['user_id', 'action', 'key'], columns: ['answer'] },
  { table: 'mails', key: ['id'], columns: ['text', 'html'] },
  // Only secrets are sealed.
  { table: 'options', key: ['key'], columns: ['value'] },
  { table: 'one_time_secrets', key: ['purpose', 'subject'], columns: ['data'] },
  { table: 'redemptions', key: ['id'], columns: ['key_sealed'] },
  { table: 'tokens', key: ['id'], columns: ['key_sealed'] },
  { table: 'users', key: ['id'], columns: ['setting'] },
  { table: 'webhooks', key: ['id'], columns: ['notice'] },
]

const PAGE_ROWS = 1000
const SEALED = 'v1:%'

type Row = Record<string, string | number>

/**
 * Seals every text under another secret, in the transaction.
 * @returns how many texts were sealed anew, and how many the current secret cannot unseal and were left
 */
export function* resealAll(tx: Tx, secret: Buffer) {
  const reseal = resealer(secret)
  const count = { sealed: 0, left: 0 }
  for (const place of sealedColumns) {
    let page = yield* pageAfter(tx, place)
    while (page.length) {
      for (const row of page) yield* resealRow(tx, place, row, reseal, count)
      page = page.length < PAGE_ROWS ? [] : yield* pageAfter(tx, place, page.at(-1))
    }
  }
  return count
}

/** Sealed texts of the database, some of each column. */
export function* samples(tx: Tx, rows: number) {
  const found: string[] = []
  for (const place of sealedColumns) {
    for (const row of yield* pageAfter(tx, place, undefined, rows)) found.push(...sealedIn(place, row))
  }
  return found
}

const sealedIn = ({ columns }: SealedColumns, row: Row) =>
  columns.map(column => String(row[column])).filter(text => text.startsWith('v1:'))

function* pageAfter(tx: Tx, { table, key, columns }: SealedColumns, last?: Row, rows = PAGE_ROWS) {
  const isSealed = sql.join(
    columns.map(column => sql`${named(column)} like ${SEALED}`),
    sql` or `,
  )
  const isLater = last
    ? sql`(${names(key)}) > (${sql.join(
        key.map(column => sql`${last[column]}`),
        sql`, `,
      )})`
    : sql`true`
  return yield* run<Row[]>(
    rawQuery<Row>(
      tx,
      sql`select ${names([...key, ...columns])} from ${named(table)} where (${isSealed}) and ${isLater}
        order by ${names(key)} limit ${rows}`,
    ),
  )
}

interface Count {
  sealed: number
  left: number
}

function* resealRow(
  tx: Tx,
  { table, key, columns }: SealedColumns,
  row: Row,
  reseal: (sealed: string) => string,
  count: Count,
) {
  const isRow = sql.join(
    key.map(column => sql`${named(column)} = ${row[column]}`),
    sql` and `,
  )
  for (const column of columns) {
    const text = String(row[column])
    if (!text.startsWith('v1:')) continue
    const anew = resealed(text, reseal)
    if (anew === undefined) {
      count.left++
      continue
    }
    count.sealed++
    yield* run(rawQuery(tx, sql`update ${named(table)} set ${named(column)} = ${anew} where ${isRow}`))
  }
}

function resealed(text: string, reseal: (sealed: string) => string): string | undefined {
  try {
    return reseal(text)
  } catch {
    return undefined
  }
}

const named = (name: string) => sql.identifier(name)
const names = (columns: string[]): SQL => sql.join(columns.map(named), sql`, `)
