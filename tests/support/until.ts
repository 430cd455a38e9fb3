/** Waits for what happens after a response. */
const NEVER_MS = 120_000

/** Waits until something is so: for what happens after an answer. Nothing is timed: what is not so by then never will be. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = performance.now() + NEVER_MS
  for (;;) {
    const seen = await look()
    if (seen) return seen as NonNullable<T>
    if (performance.now() > end) throw new Error('it did not happen in time')
    await Bun.sleep(5)
  }
}
