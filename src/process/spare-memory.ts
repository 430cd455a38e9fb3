/** Returns the memory of ended calls to the system: by itself the collector waits until the next calls need it. */

const EVERY_MS = 12_000
const MEGABYTE = 1_048_576
/** Resident memory up to which no collection is worth its processor time, and growth up to which no other one is. */
const RESIDENT_BYTES = 80 * MEGABYTE
const GROWTH_BYTES = 12 * MEGABYTE

/**
 * Starts to watch the resident memory. While calls run, collections run beside them; without calls, one may take its
 * time and returns all.
 * @param running number of calls
 * @param freeCaches frees memory that the next call only reads again
 */
export function watchMemory(running: () => number, freeCaches: () => void) {
  let left_bytes = RESIDENT_BYTES
  setInterval(() => {
    if (process.memoryUsage.rss() < left_bytes + GROWTH_BYTES) return
    const isIdle = running() === 0
    if (isIdle) freeCaches()
    Bun.gc(isIdle)
    if (isIdle) left_bytes = Math.max(RESIDENT_BYTES, process.memoryUsage.rss())
  }, EVERY_MS).unref()
}
