/** Work of which few pieces run at once, in two lanes: what waits has shares, so that one cannot take all places. */

/** Known work is not delayed by unknown work, and the other way round: a worker each takes it first. */
export type Lane = 'known' | 'unknown'

export interface QueueTicket {
  lane: Lane
  /** What has a share of the waiting places: an account, an address. */
  shares: readonly string[]
  /** Less goes first, and takes the waiting place of more where there is no other. */
  rank: number
}

interface WaitingTicket extends QueueTicket {
  start(worker: Lane): void
  refuse(reason: Error): void
}

interface FairQueueLimits {
  /** Waiting places of one share in one lane. */
  share: number
  /** Waiting places of one lane. */
  lane: number
}

export class FairQueue {
  /** Workers without work, by the lane that they prefer. */
  readonly #idle: Lane[] = ['unknown', 'known']
  /** In the order of their coming. */
  #waiting: WaitingTicket[] = []

  constructor(
    private readonly limits: FairQueueLimits,
    /** Error of work that finds no waiting place. */
    private readonly refusal: () => Error,
  ) {}

  /** @throws the refusal when the work has no place, at once or later when it loses its place to other work */
  async run<T>(ticket: QueueTicket, work: () => Promise<T>): Promise<T> {
    const worker = this.#idle.pop() ?? (await this.#turn(ticket))
    try {
      return await work()
    } finally {
      this.#next(worker)
    }
  }

  /** @throws the refusal when the work would have no place now */
  check(ticket: QueueTicket) {
    if (!this.#idle.length) this.#losers(ticket)
  }

  #turn(ticket: QueueTicket): Promise<Lane> {
    const losers = this.#losers(ticket)
    this.#waiting = this.#waiting.filter(other => !losers.includes(other))
    for (const { refuse } of losers) refuse(this.refusal())
    const { promise, resolve, reject } = Promise.withResolvers<Lane>()
    this.#waiting.push({ ...ticket, start: resolve, refuse: reject })
    return promise
  }

  /** The work that loses its place to this one: of every full share the last of the highest rank. @throws the refusal */
  #losers({ lane, shares, rank }: QueueTicket): WaitingTicket[] {
    const inLane = this.#waiting.filter(other => other.lane === lane)
    const groups = shares.map(
      share => [inLane.filter(other => other.shares.includes(share)), this.limits.share] as const,
    )
    const full = [...groups, [inLane, this.limits.lane] as const].filter(([group, max]) => group.length >= max)
    return full.map(([group]) => {
      const worst = group.reduce((worst, other) => (other.rank >= worst.rank ? other : worst))
      if (worst.rank <= rank) throw this.refusal()
      return worst
    })
  }

  #next(worker: Lane) {
    const next = this.#first(worker) ?? this.#first(worker === 'known' ? 'unknown' : 'known')
    if (!next) return void this.#idle.push(worker)
    this.#waiting = this.#waiting.filter(other => other !== next)
    next.start(worker)
  }

  #first(lane: Lane): WaitingTicket | undefined {
    const inLane = this.#waiting.filter(other => other.lane === lane)
    return inLane.length ? inLane.reduce((first, other) => (other.rank < first.rank ? other : first)) : undefined
  }
}
