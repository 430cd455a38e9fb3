/** Numbers of users that nodes share for a day: rows beside the idempotency keys, written within a second. */
import { and, eq, gt, sql } from 'drizzle-orm'
import { atomic, run } from '../db/atomic.ts'
import { db } from '../db/database.ts'
import { now } from '../process/clock.ts'
import { store } from '../process/stores.ts'
import { IDEMPOTENCY_TTL_SECONDS } from './idempotency.ts'
import { idempotencyKeys as rows } from './table.ts'
import { WriteBehind } from './write-behind.ts'

/** Numbers of this node that are read without the database; the oldest go first. */
const RECENT_MAX = 10_000
const KEY_MAX_LENGTH = 256
const ROWS_PER_INSERT = 500

interface SharedNumber {
  user_id: number
  key: string
  value: number
}

export class SharedNumbers {
  readonly #recent: Map<string, number>
  readonly #unwritten: WriteBehind<string, SharedNumber>

  /** @param action unique; a key of one action is unknown to another */
  constructor(private readonly action: string) {
    this.#recent = store(action, new Map())
    this.#unwritten = new WriteBehind(`${action}-rows`, entries => this.#write([...entries.values()]))
  }

  set(user_id: number, key: string, value: number) {
    if (key.length > KEY_MAX_LENGTH) return
    const name = `${user_id} ${key}`
    this.#recent.delete(name)
    if (this.#recent.size >= RECENT_MAX) this.#recent.delete(this.#recent.keys().next().value!)
    this.#recent.set(name, value)
    this.#unwritten.set(name, { user_id, key, value })
  }

  /** @returns the latest number that this node knows; undefined for an unknown or old key */
  async get(user_id: number, key: string): Promise<number | undefined> {
    return this.#recent.get(`${user_id} ${key}`) ?? this.#read(user_id, key)
  }

  async #read(user_id: number, key: string): Promise<number | undefined> {
    const isKey = and(eq(rows.user_id, user_id), eq(rows.action, this.action), eq(rows.key, key))
    const isAlive = gt(rows.created_time, now() - IDEMPOTENCY_TTL_SECONDS)
    const [row] = await db.select({ answer: rows.answer }).from(rows).where(and(isKey, isAlive))
    return row && Number(row.answer)
  }

  async #write(numbers: SharedNumber[]) {
    const created_time = now()
    for (let from = 0; from < numbers.length; from += ROWS_PER_INSERT) {
      const values = numbers.slice(from, from + ROWS_PER_INSERT).map(({ user_id, key, value }) => ({
        ...{ user_id, action: this.action, key, body_hash: '', answer: String(value), created_time },
      }))
      await atomic(function* (tx) {
        yield* run(
          tx
            .insert(rows)
            .values(values)
            .onConflictDoUpdate({
              target: [rows.user_id, rows.action, rows.key],
              set: { answer: sql`excluded.answer`, created_time },
            }),
        )
      })
    }
  }
}
