/** Waits for what happens after a response. */
import { cpus, loadavg } from 'node:os'

/** On a machine with nothing else to do. */
const QUIET_MS = 20_000
/** However busy the machine is, and for files that `@waits`. */
const NEVER_MS = 120_000
const { WAITS } = process.env

/** A busy machine takes longer: by as much as there are more processes than cores. */
const patience_ms = () => (WAITS ? NEVER_MS : Math.min(NEVER_MS, QUIET_MS * Math.max(1, loadavg()[0]! / cpus().length)))

/** @throws Error after 20 s or more, with what it looked for and what it saw last */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const start = performance.now()
  for (;;) {
    const seen = await look()
    if (seen) return seen as NonNullable<T>
    if (performance.now() - start > patience_ms())
      throw new Error(`it did not happen in time: ${look} is still ${Bun.inspect(seen)}`)
    await Bun.sleep(5)
  }
}
