/** Bounds the background responses that a node reads at the same time; the others wait, and their users take turns. */
import { store } from '../../process/stores.ts'

/**
 * Each takes half a megabyte while it is read, most of it chunks that are not collected yet: together 64 MB, as much as
 * the rest of the process. One that waits is a request with its reservation, a tenth of that.
 */
export const BACKGROUND_READ_MAX = 128

const reading = store('background-reading', new Set<BackgroundTurn>())
/** By user. The first user has the next turn, and is the last one then. */
const waiting = store('background-waiting', new Map<number, Set<BackgroundTurn>>())

/** The right of one response to be read. */
export class BackgroundTurn {
  readonly #come = Promise.withResolvers<boolean>()
  readonly isQueued = reading.size >= BACKGROUND_READ_MAX

  constructor(private readonly user_id: number) {
    if (this.isQueued) waiting.set(user_id, (waiting.get(user_id) ?? new Set()).add(this))
    else this.begin()
  }

  /** Resolves when the turn has come; to false when it was given up before. */
  get come(): Promise<boolean> {
    return this.#come.promise
  }

  begin() {
    reading.add(this)
    this.#come.resolve(true)
  }

  /** Gives up a turn that has not come. */
  giveUp() {
    const own = waiting.get(this.user_id)
    if (!own?.delete(this)) return
    if (!own.size) waiting.delete(this.user_id)
    this.#come.resolve(false)
  }

  /** The response has been read, or never will be. */
  end() {
    this.giveUp()
    if (reading.delete(this)) beginNext()
  }
}

function beginNext() {
  for (const [user_id, own] of waiting) {
    const [turn] = own
    own.delete(turn!)
    waiting.delete(user_id)
    if (own.size) waiting.set(user_id, own)
    return turn!.begin()
  }
}
