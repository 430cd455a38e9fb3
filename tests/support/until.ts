/** Waits for what happens after a response. */
import { cpus, loadavg } from 'node:os'

/** On a machine with nothing else to do. */
const QUIET_MS = 20_000
/** However busy the machine is: several waits of a file that fails must not add up to the cap of its process. */
const BUSY_MS = 60_000
/** For files that `@waits`. */
const WAITS_MS = 120_000
const { WAITS } = process.env

/** A busy machine takes longer: by as much as there are more processes than cores. */
const patience_ms = () => (WAITS ? WAITS_MS : Math.min(BUSY_MS, QUIET_MS * Math.max(1, loadavg()[0]! / cpus().length)))

/**
 * @param event names what is awaited where the code of `look` does not
 * @throws Error after 20 s, on a busy machine later, with what it looked for and what it saw last
 */
export async function until<T>(look: () => T | Promise<T>, event = `${look}`): Promise<NonNullable<T>> {
  const start = performance.now()
  for (;;) {
    const seen = await look()
    if (seen) return seen as NonNullable<T>
    const waited_ms = performance.now() - start
    if (waited_ms > patience_ms())
      throw new Error(`not within ${Math.round(waited_ms / 1000)} s: ${event}; last seen: ${Bun.inspect(seen)}`)
    await Bun.sleep(5)
  }
}

/** Waits for what may never come, such as the end of a stream. @throws Error as `until`, or what `work` rejects with */
export async function inTime<T>(work: Promise<T>, event: string): Promise<T> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  await until(() => isOver, event)
  return work
}
