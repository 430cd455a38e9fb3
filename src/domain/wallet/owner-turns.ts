/** PostgreSQL: holds that wait for the turn of a user or channel. What comes meanwhile for the same one shares its next turn. */
import { semaphore } from '../../process/semaphore.ts'
import { ROUND_MAX } from './rounds.ts'

/** OwnerTurns at the same time, each on a connection: others are left for the rest of the work. */
const TURNS_MAX = 3
const turn = semaphore(TURNS_MAX)

export class OwnerTurns<T> {
  readonly #waiting = new Map<number, T[]>()

  /** @param take a turn of the owner with this id; never rejects */
  constructor(private readonly take: (id: number, group: T[]) => Promise<void>) {}

  add(id: number, one: T) {
    const others = this.#waiting.get(id)
    if (others) return void others.push(one)
    this.#waiting.set(id, [one])
    void turn(() => this.#takeAll(id))
  }

  reset() {
    this.#waiting.clear()
  }

  async #takeAll(id: number) {
    const queue = this.#waiting.get(id)!
    while (queue.length) await this.take(id, queue.splice(0, ROUND_MAX))
    // In the tick that has found nothing more to do: what comes later begins anew.
    this.#waiting.delete(id)
  }
}
