/**
 * Writes StreamEvents as the events of streamGenerateContent with `alt=sse`.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import { addTo } from '../canonical/assemble.ts'
import type {
  Delta,
  Finish,
  RefusalPart,
  ResponsePart,
  StreamEvent,
  TextPart,
  ThinkingPart,
  Usage,
} from '../canonical/chat.ts'
import type { EventWriter, ResponseLabel } from '../format.ts'
import { writeErrorFrame } from './api-error.ts'
import type { GeminiCandidate, GeminiEnd, GeminiHead, GeminiPart, GeminiResponse } from './wire.ts'
import { noContent, writeEnd, writeHead, writeLogprobs, writePart, writeTail } from './write-response.ts'

export const writeStream = (label: ResponseLabel): EventWriter => new GeminiStreamWriter(label)

/** An event up to the parts of its candidate. */
const CANDIDATE_PREFIX = 'data: {"candidates":[{"content":{"role":"model","parts":['

class GeminiStreamWriter implements EventWriter {
  #head: Partial<GeminiHead> = {}
  /** An event after the index of its candidate. Before a `start` it is the bare end of the JSON. */
  #candidateSuffix = '}]}\n\n'
  #usage: Usage | undefined
  readonly #candidates = new Map<number, CandidateWriter>()

  constructor(private readonly label: ResponseLabel) {}

  write(event: StreamEvent): string {
    switch (event.kind) {
      case 'start':
        this.#head = writeHead(event.id, this.label)
        this.#candidateSuffix = `}],${JSON.stringify(this.#head).slice(1)}\n\n`
        return ''
      case 'open':
        this.#candidate(event.choice).open(event.part, event.opening)
        return ''
      case 'delta':
        return this.#writeParts(event.choice, this.#candidate(event.choice).add(event.part, event.delta))
      case 'close':
        return this.#writeParts(event.choice, this.#candidate(event.choice).close(event.part))
      case 'logprobs':
        return this.#chunk([{ content: noContent, index: event.choice, logprobsResult: writeLogprobs(event.tokens) }])
      case 'finish':
        this.#candidate(event.choice).finish = event.finish
        return ''
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'error':
        return writeErrorFrame(event.failure)
      case 'end':
        return this.#end()
    }
  }

  #candidate(index: number): CandidateWriter {
    const candidate = this.#candidates.get(index) ?? new CandidateWriter()
    this.#candidates.set(index, candidate)
    return candidate
  }

  #writeParts(index: number, parts: GeminiPart[]): string {
    if (!parts.length) return ''
    return `${CANDIDATE_PREFIX}${parts.map(part => JSON.stringify(part)).join(',')}]},"index":${index}${this.#candidateSuffix}`
  }

  #chunk(candidates: GeminiCandidate[]): string {
    return frame({ candidates, ...this.#head })
  }

  /** The last event has the finish reasons and the usage. */
  #end(): string {
    const candidates = [...this.#candidates].map(
      ([index, candidate]): GeminiCandidate => ({
        content: noContent,
        ...candidate.end(),
        index,
      }),
    )
    return frame({ candidates, ...writeTail(this.#usage), ...this.#head })
  }
}

const frame = (data: GeminiResponse) => `data: ${JSON.stringify(data)}\n\n`

class CandidateWriter {
  finish: Finish = { reason: 'stop' }
  #refused = false
  readonly #open = new Map<number, ResponsePart>()
  readonly #texts: TextPart[] = []

  open(index: number, opening: ResponsePart) {
    const part = structuredClone(opening)
    this.#open.set(index, part)
    if (part.kind === 'text') this.#texts.push(part)
    if (part.kind === 'refusal') this.#refused = true
  }

  /** Text is written as it arrives. */
  add(index: number, delta: Delta): GeminiPart[] {
    const part = this.#open.get(index)
    if (!part) return []
    addTo(part, delta)
    if (!('text' in delta) || !isStreamed(part)) return []
    return part.kind === 'thinking' ? [{ text: delta.text, thought: true }] : [{ text: delta.text }]
  }

  /** Tool calls and media are written when they are complete, signatures at the end of their part. */
  close(index: number): GeminiPart[] {
    const part = this.#open.get(index)
    this.#open.delete(index)
    if (!part) return []
    if (!isStreamed(part)) return writePart(part)
    return 'signature' in part && part.signature ? writePart({ ...part, text: '' }) : []
  }

  end = (): GeminiEnd => writeEnd(this.finish, this.#refused, this.#texts)
}

/** Whether a part is written delta by delta. */
const isStreamed = (part: ResponsePart): part is TextPart | ThinkingPart | RefusalPart =>
  part.kind === 'text' || part.kind === 'thinking' || part.kind === 'refusal'
