/** Small records by name that every node reads: rows beside the idempotency keys, written within a second, kept for a day. */
import { and, eq, gt } from 'drizzle-orm'
import { atomic, run } from '../db/atomic.ts'
import { db } from '../db/database.ts'
import { now } from '../process/clock.ts'
import { IDEMPOTENCY_TTL_SECONDS } from './idempotency.ts'
import { idempotencyKeys as rows } from './table.ts'
import { WriteBehind } from './write-behind.ts'

/** Records belong to the installation and to no user. */
const NO_USER = 0

/** One node writes a record at a time; the last write counts. */
export class SharedRecord<Value> {
  readonly #unwritten: WriteBehind<string, Value>

  /** @param action unique; a name of one action is unknown to another */
  constructor(private readonly action: string) {
    this.#unwritten = new WriteBehind(`${action}-records`, entries => this.#write(entries))
  }

  set(name: string, value: Value) {
    this.#unwritten.set(name, value)
  }

  /** Resolves when every node reads what was set so far. */
  flush(): Promise<void> {
    return this.#unwritten.flush()
  }

  async get(name: string): Promise<Value | undefined> {
    return this.#unwritten.get(name) ?? this.#read(name)
  }

  async #read(name: string): Promise<Value | undefined> {
    const isRecord = and(eq(rows.user_id, NO_USER), eq(rows.action, this.action), eq(rows.key, name))
    const isAlive = gt(rows.created_time, now() - IDEMPOTENCY_TTL_SECONDS)
    const [row] = await db.select({ answer: rows.answer }).from(rows).where(and(isRecord, isAlive))
    return row && JSON.parse(row.answer)
  }

  async #write(entries: Map<string, Value>) {
    const created_time = now()
    const { action } = this
    await atomic(function* (tx) {
      for (const [key, value] of entries) {
        const answer = JSON.stringify(value)
        yield* run(
          tx
            .insert(rows)
            .values({ user_id: NO_USER, action, key, body_hash: '', answer, created_time })
            .onConflictDoUpdate({
              target: [rows.user_id, rows.action, rows.key],
              set: { answer, created_time },
            }),
        )
      }
    })
  }
}
