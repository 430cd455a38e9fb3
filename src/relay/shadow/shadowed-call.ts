/** One call in the shadow, from its request to the row that is kept of it. Nothing of it delays the call. */
import { Refusal } from '../../contracts/refusal.ts'
import type { ShadowOutcome } from '../../contracts/shadow.ts'
import { recordShadow, type ShadowBill } from '../../domain/shadow/index.ts'
import { now } from '../../process/clock.ts'
import { log, reason as reasonOf } from '../../process/log.ts'
import { idOf, pathOf } from '../../web/request.ts'
import type { ApiRoute, RelayContext } from '../endpoint.ts'
import { statusOf } from '../errors/explain.ts'
import { ClientDisconnected, Fault } from '../errors/fault.ts'
import { type AskedCall, type AskedContext, askedCall } from './asked-call.ts'
import { formatOf, shadowBill } from './bill-shadow.ts'
import { type ReadAlong, readAlong } from './read-along.ts'

interface SentCall {
  body: Uint8Array<ArrayBuffer>
  address: string
  /** Milliseconds since the request was sent on. */
  elapsed(): number
}

export type PassEnd = 'finished' | 'abandoned' | 'broken'

const ERROR_STATUS = 400

export class ShadowedCall {
  /** Chunks that came before the request was read. */
  #early: Uint8Array<ArrayBuffer>[] = []
  #along: ReadAlong | undefined
  #isRead = false
  #answer: Pick<Response, 'status' | 'headers'> | undefined
  readonly #asked: Promise<AskedCall>

  /** @returns undefined for a request that API keys do not pay for */
  static of(context: Pick<RelayContext, 'request' | 'params'> & { route?: ApiRoute }, sent: SentCall) {
    const { route } = context
    if (!route) return undefined
    const endpoint = route.endpoint?.({ ...context, route, server: null })
    return endpoint || route.continues_task ? new ShadowedCall({ ...context, route, endpoint }, sent) : undefined
  }

  private constructor(
    private readonly context: AskedContext,
    private readonly sent: SentCall,
  ) {
    this.#asked = askedCall(context, sent.body, sent.address)
    // Read again at the end.
    this.#asked.catch(() => undefined)
  }

  /** The head of the answer has come. */
  answered(answer: Response) {
    this.#answer = answer
    if (answer.status >= ERROR_STATUS) return void this.#begin(undefined)
    this.#asked.then(
      ({ read }) => {
        const format = read && formatOf(read.endpoint.format)
        this.#begin(format && readAlong(read, format, answer))
      },
      () => this.#begin(undefined),
    )
  }

  #begin(along: ReadAlong | undefined) {
    this.#isRead = true
    this.#along = along
    for (const chunk of this.#early) this.read(chunk)
    this.#early = []
  }

  /** A chunk has passed. Never throws. */
  read(chunk: Uint8Array<ArrayBuffer>) {
    if (!this.#isRead) return void this.#early.push(chunk)
    try {
      this.#along?.read(chunk)
    } catch (error) {
      this.#along = undefined
      this.#warn(error)
    }
  }

  /** The old gateway has not answered. */
  unanswered(error: unknown) {
    const isGone = error instanceof ClientDisconnected
    void this.#keep(isGone ? 'abandoned' : 'failed', statusOf(error))
  }

  ended(end: PassEnd) {
    void this.#keep(this.#answer!.status >= ERROR_STATUS ? 'failed' : end, this.#answer!.status)
  }

  /** Never rejects. */
  async #keep(end: ShadowOutcome, status: number) {
    try {
      const asked = await this.#asked
      try {
        const { outcome, refusal = '', bill } = await this.#billed(asked, end)
        recordShadow(idOf(this.context.request), {
          ...this.#columns(asked),
          ...unpriced,
          ...bill,
          status,
          outcome,
          refusal,
        })
      } finally {
        await asked.read?.[Symbol.asyncDispose]()
      }
    } catch (error) {
      this.#warn(error)
    }
  }

  async #billed({ read, caller, refusal }: AskedCall, end: ShadowOutcome): Promise<BilledCall> {
    if (refusal || end === 'failed') return { outcome: end, refusal }
    if (!read || !this.#along) return { outcome: end === 'finished' ? 'unread' : end }
    const facts = this.#along.answer()
    if (facts === 'failed') return { outcome: 'failed' }
    if (!facts) return { outcome: 'unread' }
    try {
      const answer = { facts, bytes: this.#along.whole?.() }
      const bill = await shadowBill(read, caller, answer, end as PassEnd)
      return bill ? { outcome: end, bill } : { outcome: 'unread' }
    } catch (error) {
      if (error instanceof Refusal || error instanceof Fault) return { outcome: end, refusal: error.code }
      throw error
    }
  }

  #columns({ key_hash, caller, read }: AskedCall) {
    return {
      created_at: now(),
      duration_ms: Math.round(this.sent.elapsed()),
      key_hash,
      token_id: caller.token.id,
      user_id: caller.user.id,
      their_id: this.#answer ? idIn(this.#answer.headers) : '',
      path: pathOf(this.context.request.url),
      model: read?.facts.model ?? '',
      group: caller.group,
      is_stream: read?.facts.stream ?? false,
    }
  }

  #warn(error: unknown) {
    log.warn('call in the shadow not read', { request_id: idOf(this.context.request), reason: reasonOf(error) })
  }
}

interface BilledCall {
  outcome: ShadowOutcome
  refusal?: string
  bill?: ShadowBill
}

const unpriced = { prompt_tokens: 0, completion_tokens: 0, quota: 0, is_estimated: false, price: null }

/** Headers in which the old gateways name the id that their logs have. */
const ID_HEADERS = ['x-oneapi-request-id', 'x-veloera-request-id', 'x-request-id']
const ID_LENGTH_MAX = 128

function idIn(headers: Headers): string {
  const name = ID_HEADERS.find(name => headers.get(name))
  return name ? headers.get(name)!.slice(0, ID_LENGTH_MAX) : ''
}
