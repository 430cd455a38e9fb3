/** Write-behind buffers: small updates collected in memory, written together every second and at shutdown. */
import { log, reason } from '../process/log.ts'
import { onShutdown } from '../process/shutdown.ts'
import { store } from '../process/stores.ts'

const buffers = new Set<WriteBehind<never, never>>()

/** For figures that no money depends on: entries that the database refuses are dropped and logged. */
export class WriteBehind<K, V> {
  #entries = new Map<K, V>()
  #writing = new Set<Promise<void>>()

  /** @param write writes all entries in one transaction */
  constructor(
    readonly name: string,
    private readonly write: (entries: Map<K, V>) => Promise<void>,
  ) {
    buffers.add(this as never)
    store(name, this)
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  set(key: K, value: V) {
    this.#entries.set(key, value)
  }

  clear() {
    this.#entries.clear()
  }

  /** Resolves when everything set so far is written or dropped. */
  async flush() {
    const entries = this.#entries
    if (entries.size) {
      this.#entries = new Map()
      const writing = this.#writeOrDrop(entries).finally(() => this.#writing.delete(writing))
      this.#writing.add(writing)
    }
    await Promise.all(this.#writing)
  }

  async #writeOrDrop(entries: Map<K, V>) {
    try {
      await this.write(entries)
    } catch (error) {
      log.warn('buffered updates dropped', { buffer: this.name, count: entries.size, reason: reason(error) })
    }
  }
}

export const flushBuffers = async () => void (await Promise.all([...buffers].map(buffer => buffer.flush())))

onShutdown('flush', flushBuffers)
