/** The bytes of request bodies that the process holds at one time: of all requests together, and of one user. */
import { Refusal } from '../contracts/refusal.ts'
import { env } from '../env.ts'
import { store } from '../process/stores.ts'

const MEGABYTE = 1_048_576
/** Seconds after which a refused client may call again: most bodies are read and answered in a few. */
const RETRY_SECONDS = 2
/** Part of the budget that one user may hold. */
const USER_PART = 1 / 4
/** Part of the budget that the oldest body counts as where it is larger: the rest is for others. */
const OLDEST_PART = 3 / 4

/** Bodies up to this size are not counted: small requests go on while large bodies fill the budget. */
const UNCOUNTED_BYTES = 65_536

/** Shares that are counted, the oldest first. */
const shares = store('body-budget', new Set<BodyShare>())

/** What one request holds of the budget. */
export class BodyShare implements Disposable {
  bytes = 0

  /** @param user `user 12`, or the address of a client without one */
  constructor(private readonly user: string) {}

  /** Takes bytes that have come. One body always fits: the oldest of its user, and of all. @throws Refusal 503 */
  grow(bytes: number) {
    const size = this.bytes + bytes
    if (size > UNCOUNTED_BYTES && !this.#fits(size))
      throw new Refusal('relay.body_budget_spent', { seconds: RETRY_SECONDS }, 503)
    this.bytes = size
  }

  #fits(size: number): boolean {
    shares.add(this)
    const budget = env.BODY_BUDGET_MB * MEGABYTE
    const [oldest, ...others] = shares
    const own = [...shares].filter(({ user }) => user === this.user)
    if (own[0] !== this && sum(own) - this.bytes + size > budget * USER_PART) return false
    if (oldest === this) return true
    return Math.min(oldest!.bytes, budget * OLDEST_PART) + sum(others) - this.bytes + size <= budget
  }

  [Symbol.dispose]() {
    shares.delete(this)
  }
}

const sum = (held: readonly BodyShare[]) => held.reduce((bytes, share) => bytes + share.bytes, 0)
