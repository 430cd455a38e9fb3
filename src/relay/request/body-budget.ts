/** The bytes of request bodies that the process holds at one time, of all calls together. */
import { Refusal } from '../../contracts/refusal.ts'
import { env } from '../../env.ts'
import { onReset } from '../../process/stores.ts'

const MEGABYTE = 1_048_576
/** Seconds after which a refused client may call again: most bodies are read and answered in a few. */
const RETRY_SECONDS = 2

let held = 0
onReset('body-budget', () => {
  held = 0
})

/** What one call holds of the budget. */
export class BodyShare implements Disposable {
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** One body always fits, however large, while no other is held. @throws Refusal 503 */
  grow(bytes: number) {
    const others = held - this.#bytes
    if (others > 0 && held + bytes > env.BODY_BUDGET_MB * MEGABYTE)
      throw new Refusal('relay.body_budget_spent', { seconds: RETRY_SECONDS }, 503)
    held += bytes
    this.#bytes += bytes
  }

  shrink(bytes: number) {
    held -= bytes
    this.#bytes -= bytes
  }

  [Symbol.dispose]() {
    this.shrink(this.#bytes)
  }
}
