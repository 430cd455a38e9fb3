/** A cache of SQLite reads that ends with the next write: only this process writes. */
import { onCommit } from './atomic.ts'
import { ofDatabase, type Tx } from './database.ts'

/** For synchronous reads that come far more often than writes. */
export class CacheUntilWrite<Value> {
  readonly #values = new Map<number, Value>()
  #lastWritten = -1

  constructor(private readonly read: (id: number) => Value) {}

  get(id: number): Value {
    this.#clearIfWritten()
    const cached = this.#values.get(id)
    if (cached !== undefined) return cached
    const value = this.read(id)
    this.#values.set(id, value)
    return value
  }

  /**
   * For a transaction that knows what it leaves of the cached values. Called before its first write.
   * @returns takes what to do to the values once it has committed; they stay
   */
  outlast(tx: Tx): (change: (values: Map<number, Value>) => void) => void {
    this.#clearIfWritten()
    return change =>
      onCommit(tx, () => {
        change(this.#values)
        this.#lastWritten = rowsWritten()
      })
  }

  #clearIfWritten() {
    const written = rowsWritten()
    if (written !== this.#lastWritten) this.#values.clear()
    this.#lastWritten = written
  }
}

const counter = ofDatabase(sqlite => sqlite.prepare('select total_changes()'))

/** Rows written by this connection since it was opened. Reads no page and takes no lock. */
const rowsWritten = () => counter().values()[0]![0] as number
