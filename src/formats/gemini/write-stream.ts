import type { Json } from '../../pure/json.ts'
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
import { writeError } from './api-error.ts'
import { writeEnd, writeHead, writeLogprobs, writePart, writeTail } from './write-response.ts'

export const writeStream = (label: ResponseLabel): EventWriter => new AnswerWriter(label)

/** What stands before the parts of a candidate. */
const BEFORE = 'data: {"candidates":[{"content":{"role":"model","parts":['

class AnswerWriter implements EventWriter {
  #head: Json = {}
  /** What stands after a candidate. */
  #after = ''
  #usage: Usage | undefined
  readonly #candidates = new Map<number, CandidateWriter>()

  constructor(private readonly label: ResponseLabel) {}

  write(event: StreamEvent): string {
    switch (event.kind) {
      case 'start':
        this.#head = writeHead(event.id, this.label)
        this.#after = `}],${JSON.stringify(this.#head).slice(1)}\n\n`
        return ''
      case 'open':
        this.#candidate(event.choice).open(event.part, event.opening)
        return ''
      case 'delta':
        return this.#tell(event.choice, this.#candidate(event.choice).add(event.part, event.delta))
      case 'close':
        return this.#tell(event.choice, this.#candidate(event.choice).close(event.part))
      case 'logprobs':
        return this.#chunk([{ index: event.choice, logprobsResult: writeLogprobs(event.tokens) }])
      case 'finish':
        this.#candidate(event.choice).finish = event.finish
        return ''
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'error':
        return frame(writeError(event.failure))
      case 'end':
        return this.#end()
    }
  }

  #candidate(index: number): CandidateWriter {
    const candidate = this.#candidates.get(index) ?? new CandidateWriter()
    this.#candidates.set(index, candidate)
    return candidate
  }

  #tell(index: number, parts: Json[]): string {
    if (!parts.length) return ''
    return `${BEFORE}${parts.map(part => JSON.stringify(part)).join(',')}]},"index":${index}${this.#after}`
  }

  #chunk(candidates: Json[]): string {
    return frame({ candidates, ...this.#head })
  }

  /** The reason to finish and the usage come with the last words. */
  #end(): string {
    const candidates = [...this.#candidates].map(([index, candidate]) => ({
      content: { role: 'model', parts: [] },
      ...candidate.end(),
      index,
    }))
    return frame({ candidates, ...writeTail(this.#usage), ...this.#head })
  }
}

const frame = (data: Json) => `data: ${JSON.stringify(data)}\n\n`

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

  /** Words go on as they come. */
  add(index: number, delta: Delta): Json[] {
    const part = this.#open.get(index)
    if (!part) return []
    addTo(part, delta)
    if (!('text' in delta) || !isTold(part)) return []
    return part.kind === 'thinking' ? [{ text: delta.text, thought: true }] : [{ text: delta.text }]
  }

  /** A call and a sound are told when they are whole; a signature comes last. */
  close(index: number): Json[] {
    const part = this.#open.get(index)
    this.#open.delete(index)
    if (!part) return []
    if (!isTold(part)) return writePart(part)
    return 'signature' in part && part.signature ? writePart({ ...part, text: '' }) : []
  }

  end = (): Json => writeEnd(this.finish, this.#refused, this.#texts)
}

/** Whether a part is told piece by piece. */
const isTold = (part: ResponsePart): part is TextPart | ThinkingPart | RefusalPart =>
  part.kind === 'text' || part.kind === 'thinking' || part.kind === 'refusal'
