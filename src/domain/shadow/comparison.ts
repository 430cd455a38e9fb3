/** Gathers the calls of both sides by user and model, in whole numbers of any size. */
import type { ShadowReport, ShadowRow, ShadowSums } from '../../contracts/shadow.ts'
import type { OurCall } from './our-calls.ts'
import type { OwnedCall } from './pairs.ts'
import { reasonsOf } from './reasons.ts'
import type { TheirCall } from './their-log.ts'

type CallCounts = Pick<OurCall, 'prompt_tokens' | 'completion_tokens' | 'quota'>

class Sums {
  #calls = 0n
  #prompt_tokens = 0n
  #completion_tokens = 0n
  quota = 0n

  add({ prompt_tokens, completion_tokens, quota }: CallCounts) {
    this.#calls++
    this.#prompt_tokens += BigInt(prompt_tokens)
    this.#completion_tokens += BigInt(completion_tokens)
    this.quota += BigInt(quota)
  }

  texts = (): ShadowSums => ({
    calls: String(this.#calls),
    prompt_tokens: String(this.#prompt_tokens),
    completion_tokens: String(this.#completion_tokens),
    quota: String(this.quota),
  })
}

class Row {
  readonly #theirs = new Sums()
  readonly #ours = new Sums()
  #matched = 0n
  #equal = 0n
  readonly #differences = new Map<string, { calls: bigint; quota: bigint }>()

  /** One call; a side that does not have it is undefined. */
  add(theirs: TheirCall | undefined, ours: OurCall | undefined, reasons: readonly string[]) {
    if (theirs) this.#theirs.add(theirs)
    if (ours && isServed(ours)) this.#ours.add(ours)
    if (theirs && ours) this.#matched++
    if (!reasons.length) return void this.#equal++
    const key = reasons.join(' + ')
    const sum = this.#differences.get(key) ?? { calls: 0n, quota: 0n }
    this.#differences.set(key, sum)
    sum.calls++
    sum.quota += BigInt((theirs?.quota ?? 0) - (ours?.quota ?? 0))
  }

  texts = (): ShadowRow => ({
    theirs: this.#theirs.texts(),
    ours: this.#ours.texts(),
    matched: String(this.#matched),
    equal: String(this.#equal),
    difference: String(this.#theirs.quota - this.#ours.quota),
    differences: [...this.#differences]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { calls, quota }]) => ({ reasons: key.split(' + '), calls: String(calls), quota: String(quota) })),
  })
}

/** Whether Tollgate would have answered it. */
const isServed = ({ outcome, refusal }: OurCall) => outcome !== 'failed' && !refusal

interface Label {
  user: string
  model: string
}

export class Comparison {
  readonly #total = new Row()
  readonly #rows = new Map<string, Label & { row: Row }>()
  #failed = 0n

  /** @param since Unix seconds, inclusive. @param until exclusive */
  constructor(
    private readonly since: number,
    private readonly until: number,
  ) {}

  #isIn = (second: number) => second >= this.since && second < this.until

  /** A pair belongs to the second in which its call ended here. */
  addPair([theirs, { call, user }]: [TheirCall, OwnedCall]) {
    if (!this.#isIn(call.created_at)) return
    this.#add({ user: theirs.user || user, model: theirs.model }, theirs, call, reasonsOf(theirs, call))
  }

  addTheirs(theirs: TheirCall) {
    if (this.#isIn(theirs.at)) this.#add(theirs, theirs, undefined, ['missing_here'])
  }

  addOurs({ call, user }: OwnedCall) {
    if (!this.#isIn(call.created_at)) return
    const isUnread = call.outcome === 'unread'
    if (!isUnread && !call.quota && (!isServed(call) || call.outcome !== 'finished')) return void this.#failed++
    this.#add({ user, model: call.model }, undefined, call, [isUnread ? 'not_priced_here' : 'missing_there'])
  }

  #add({ user, model }: Label, theirs: TheirCall | undefined, ours: OurCall | undefined, reasons: string[]) {
    const key = JSON.stringify([user, model])
    const found = this.#rows.get(key) ?? { user, model, row: new Row() }
    this.#rows.set(key, found)
    for (const row of [found.row, this.#total]) row.add(theirs, ours, reasons)
  }

  report(against: string): ShadowReport {
    const rows = [...this.#rows.values()].sort(byLabel)
    return {
      ...{ against, since: this.since, until: this.until, total: this.#total.texts(), failed: String(this.#failed) },
      rows: rows.map(({ user, model, row }) => ({ user, model, ...row.texts() })),
    }
  }
}

const byLabel = (a: Label, b: Label) => (a.user === b.user ? (a.model < b.model ? -1 : 1) : a.user < b.user ? -1 : 1)
