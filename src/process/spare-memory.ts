/** Returns the memory of ended calls to the system: by itself the collector waits until the next calls need it. */

const EVERY_MS = 12_000
const MEGABYTE = 1_048_576
/** Resident memory up to which no collection is worth its processor time. */
const RESIDENT_BYTES = 105 * MEGABYTE

/** Starts to watch the resident memory. Collections run beside the calls. */
export function watchMemory() {
  setInterval(() => {
    if (process.memoryUsage.rss() > RESIDENT_BYTES) Bun.gc(false)
  }, EVERY_MS).unref()
}
