/** Calls with a number each, which is what their answers have used: a bill tells which call it is of. */
import { afterAll, expect } from 'bun:test'
import type { Installation } from '../app/installation.ts'
import { ask, makeSite, setOption } from '../app/site.ts'
import { chat } from '../upstream/chat-scripts.ts'
import { fakeUpstream } from '../upstream/openai.ts'
import { checkInvariants } from './invariants.ts'

const MODEL = 'gpt-4o-mini'
const PAUSE_MS = 5

export class NumberedCalls {
  /** Statuses of the calls that were answered, by number; 0 for a broken connection. */
  readonly statuses: number[] = []
  /** Numbers of the calls whose callers have had all of the answer. */
  readonly whole = new Set<number>()
  /** Numbers of the calls that the upstream was asked for. */
  readonly asked = new Set<number>()
  /** What an answer waits for at the upstream. */
  hold: Promise<unknown> | undefined
  #count = 0

  private constructor(
    private readonly place: Installation,
    private readonly key: string,
  ) {}

  /** Sets a site up. @param url of its only node so far: later ones know the prices from their start */
  static async at(place: Installation, url: string): Promise<NumberedCalls> {
    const upstream = await fakeUpstream()
    afterAll(() => upstream.stop())
    const calls = new NumberedCalls(place, await makeSite(url, upstream, MODEL))
    for (const option of ['ModelRatio', 'CompletionRatio']) await setOption(url, option, JSON.stringify({ [MODEL]: 1 }))
    upstream.scripts(MODEL, async (call, answer) => {
      const id = Number((call.body.messages as { content: string }[])[0]!.content)
      calls.asked.add(id)
      await calls.hold
      const usage = { prompt_tokens: id, completion_tokens: 1, total_tokens: id + 1 }
      await chat({ usage, pause_ms: id % 3 })(call, answer)
    })
    return calls
  }

  /** @returns the status; 0 for a broken connection */
  async call(url: string): Promise<number> {
    const id = ++this.#count
    const question = { model: MODEL, stream: id % 2 === 0, content: String(id) }
    const { status, whole } = await ask(url, this.key, question).catch(() => ({ status: 0, whole: false }))
    this.statuses[id] = status
    if (whole) this.whole.add(id)
    return status
  }

  /**
   * Callers at work, until they are stopped.
   * @param urlFor the node of the next call
   * @param pause_ms from an answer to the next call
   * @returns stops them and waits for their end
   */
  start(callers: number, urlFor: () => string, pause_ms = 0): () => Promise<void> {
    let isOver = false
    const caller = async () => {
      while (!isOver) {
        const pause = (await this.call(urlFor())) === 200 ? pause_ms : Math.max(pause_ms, PAUSE_MS)
        if (pause) await Bun.sleep(pause)
      }
    }
    const working = Promise.all(Array.from({ length: callers }, caller))
    return async () => {
      isOver = true
      await working
    }
  }

  get total(): number {
    return this.#count
  }

  /** Each whole answer is billed once, no bill is without its call (INV-4), and the other invariants hold. */
  async check() {
    await checkInvariants(this.place)
    const rows = (await this.place.read('select prompt_tokens as id, quota from logs where type = 2')) as Row[]
    const bills = rows.map(({ id, quota }) => [Number(id), Number(quota)] as const)
    const billed = new Set(bills.map(([id]) => id))
    expect(bills).toHaveLength(billed.size)
    expect(bills.filter(([id, quota]) => !this.asked.has(id) || quota !== id + 1)).toEqual([])
    expect([...this.whole].filter(id => !billed.has(id))).toEqual([])
  }
}

interface Row {
  id: unknown
  quota: unknown
}
