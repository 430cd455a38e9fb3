/** The usage of a chat as the upstream reports it, and the output as the gateway counts it. */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import { kindOf } from '../canonical/api-error.ts'
import type { ApiError, ChatResponse, StreamEvent, Usage } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import { PER_TOOL_CALL } from '../countable.ts'
import type { Countable, MeteredFacts, ReportedUsage, ResponseFacts } from '../format.ts'
import { countableTexts, GrowingText } from '../growing-text.ts'
import { missingIn, unreported } from '../reported-usage.ts'

type Report = { usage: Usage; doubts: string[] }

export function meter({ usage_report }: Pick<MeteredFacts, 'usage_report'>): ReportedUsage {
  if (!usage_report) return unreported([])
  const { usage, doubts } = usage_report as Report
  return { usage, by: 'upstream', doubts, missing: missingIn(promptTokens(usage), completionTokens(usage)) }
}

const THINKING = ' thinking'

/**
 * Counts the output of a response from its canonical events. Pieces of one text are counted as the joined text, each
 * kind of part of a choice for itself, so that a whole response and any stream of it have the same count.
 */
export class Tally implements ResponseFacts {
  usage_report: Report | undefined
  id: string | undefined
  conversation: string | undefined
  text = ''
  model: string | undefined
  finished = false
  error: ApiError | undefined
  readonly #texts = new Map<string, GrowingText>()
  /** The text of each open part, by choice and part. */
  readonly #parts = new Map<string, GrowingText>()
  /** The part of the event before: nearly always that of the next one too. */
  #last: { choice: number; part: number; grown: GrowingText } | undefined
  /** Names of the tools called. */
  readonly #names: string[] = []
  #name_tokens = 0
  #has_output = false

  constructor(private readonly keep_text: boolean) {}

  get output_estimate(): number {
    let tokens = this.#name_tokens
    for (const text of this.#texts.values()) tokens += text.tokens
    return this.#has_output ? Math.max(1, tokens) : 0
  }

  get thinking_estimate(): number {
    let tokens = 0
    for (const [key, text] of this.#texts) if (key.endsWith(THINKING)) tokens += text.tokens
    return tokens
  }

  get reported_output(): number {
    return this.usage_report ? completionTokens(this.usage_report.usage) : 0
  }

  get countable_output(): Countable {
    const { texts, tokens } = countableTexts([...this.#texts.values()])
    return { texts: [...texts, ...this.#names], tokens: tokens + this.#names.length * PER_TOOL_CALL }
  }

  /** @returns how the stream ends with this event, if it does */
  add(event: StreamEvent): 'end' | 'error' | 'broken' | undefined {
    switch (event.kind) {
      case 'start':
        this.model = event.model || undefined
        this.id = event.id
        this.conversation = event.conversation
        // Output tokens of a first event are not those of the response.
        if (event.usage) this.usage_report = { usage: { ...event.usage, output: 0 }, doubts: [] }
        return
      case 'open':
        this.#open(event)
        return
      case 'delta':
        this.#addDelta(event)
        return
      case 'usage':
        this.usage_report = { usage: event.usage, doubts: event.doubts }
        return
      case 'finish':
        this.finished = true
        return
      case 'end':
        this.finished = true
        return 'end'
      case 'error':
        this.error = event.failure
        return kindOf(event.failure)
      case 'close':
      case 'logprobs':
    }
  }

  #open({ choice, part, opening }: StreamEvent & { kind: 'open' }) {
    // Calls are counted one by one: those of a stream may be interleaved.
    const key = opening.kind === 'tool_call' ? `${choice}/${part}` : `${choice} ${opening.kind}`
    const text = this.#texts.get(key) ?? new GrowingText()
    this.#texts.set(key, text)
    this.#parts.set(`${choice}/${part}`, text)
    if (this.#last?.choice === choice && this.#last.part === part) this.#last = undefined
    if (opening.kind !== 'tool_call') return
    this.#names.push(opening.name)
    this.#name_tokens += estimateTokens(opening.name)
    this.#keep(opening.name)
  }

  #addDelta({ choice, part, delta }: StreamEvent & { kind: 'delta' }) {
    const text = 'text' in delta ? delta.text : 'arguments' in delta ? delta.arguments : textOf(delta)
    if (!text) return
    if (this.#last?.choice !== choice || this.#last.part !== part) {
      const grown = this.#parts.get(`${choice}/${part}`)
      if (!grown) return
      this.#last = { choice, part, grown }
    }
    this.#last.grown.add(text)
    this.#keep(text)
  }

  #keep(text: string) {
    if (text) this.#has_output = true
    if (this.keep_text) this.text += text
  }
}

const textOf = (delta: object): string => ('transcript' in delta ? (delta.transcript as string) : '')

/** The facts of a whole response; its text is counted only when it is asked for, as most report their usage. */
export class WholeFacts implements ResponseFacts {
  readonly id: string | undefined
  readonly conversation: string | undefined
  readonly usage_report: Report | undefined
  readonly model: string | undefined
  readonly #response: ChatResponse

  constructor(
    response: ChatResponse,
    readonly rewritten?: Json,
  ) {
    this.#response = response
    this.id = response.id
    this.conversation = response.conversation
    this.usage_report = response.usage && { usage: response.usage, doubts: response.doubts }
    this.model = response.model || undefined
  }

  get output_estimate(): number {
    return this.#tally(false).output_estimate
  }

  get thinking_estimate(): number {
    return this.#tally(false).thinking_estimate
  }

  get countable_output(): Countable {
    return this.#tally(false).countable_output
  }

  get text(): string {
    return this.#tally(true).text
  }

  #tally(keep_text: boolean): Tally {
    const tally = new Tally(keep_text)
    for (const event of replay(this.#response)) tally.add(event)
    return tally
  }
}
