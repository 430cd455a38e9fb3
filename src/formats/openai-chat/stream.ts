import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import type { EventKind, MeteredUsage, StreamReader, UpstreamError } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { decoded, parsed } from '../json/lenient-json.ts'
import { piecesOf, reportIn } from './answer.ts'
import { readError } from './error.ts'
import { writeReport } from './usage.ts'

const DONE = '[DONE]'

/**
 * Thousands of events pass here each second, so those that are only pieces of the answer are skimmed: a quote inside a
 * JSON text is always escaped, hence `"usage":{` can only be the field itself. Any other event is parsed.
 */
export class ChatStreamReader implements StreamReader {
  output_estimate = 0
  finished = false
  usage_report: Json | undefined
  error: UpstreamError | undefined
  text = ''
  #first: Json | undefined
  #done = false

  constructor(private readonly keep_text: boolean) {}

  skim(bytes: Buffer): number {
    if (!this.#first || this.keep_text) return 0
    const usual = unusual.reduce((least, mark) => firstOf(bytes, mark, least), bytes.length)
    const events = bytes.toString('latin1', 0, usual)
    let from = 0
    for (let end = events.indexOf(EVENT_END); end >= 0; end = events.indexOf(EVENT_END, from)) {
      const whole = events.startsWith(EVENT_START, from) && events.charCodeAt(end - 1) === CLOSE_BRACE
      const tokens = whole ? tokensOf(events.slice(from, end)) : -1
      if (tokens < 0) break
      this.output_estimate += tokens
      from = end + EVENT_END.length
    }
    if (firstOf(bytes, '"finish_reason":"', from) < from) this.finished = true
    return from
  }

  read(data: string): EventKind {
    if (data !== DONE) return this.#parse(data)
    this.finished = this.#done = true
    return 'end'
  }

  #parse(data: string): EventKind {
    const event = parsed(decoded(data))
    if (!isObject(event)) return 'broken'
    const choices = Array.isArray(event.choices) ? event.choices : []
    this.error = event.error || !('choices' in event) ? readError(event) : undefined
    if (this.error) return 'error'
    this.#first ??= event
    const report = reportIn(event.usage)
    this.usage_report = report ?? this.usage_report
    for (const choice of choices) this.#readChoice(choice as Json | null)
    return report && !choices.length ? 'usage' : 'content'
  }

  #readChoice(choice: Json | null) {
    for (const piece of piecesOf(choice?.delta)) {
      this.output_estimate += Math.max(1, estimateTokens(piece))
      if (this.keep_text) this.text += piece
    }
    if (typeof choice?.finish_reason === 'string') this.finished = true
    this.usage_report = reportIn(choice?.usage) ?? this.usage_report
  }

  end({ usage }: MeteredUsage, wants_usage: boolean): string {
    const report = wants_usage && !this.usage_report ? writeReport(this.#first, usage) : ''
    return report + (this.#done ? '' : `data: ${DONE}\n\n`)
  }
}

const EVENT_START = 'data: {'
const EVENT_END = '\n\n'
const CLOSE_BRACE = 0x7d
const QUOTE = '"'
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** Signs of events that are more than a piece of the answer, or not written in the usual compact way. */
const unusual = ['"usage":{', '"error":', '": ', '\r', DONE]

/** Ends of field names under which pieces of an answer come; the first also ends `reasoning_content`. */
const textFields = ['content":"', 'arguments":"', 'reasoning":"', 'refusal":"']

/** Tokens in the pieces of one event, or -1 when it cannot be told. */
function tokensOf(event: string): number {
  for (const field of textFields) {
    let tokens = 0
    for (let found = event.indexOf(field); found >= 0; ) {
      const start = found + field.length
      const end = endOfText(event, start)
      if (end < 0) return -1
      tokens += pieceTokens(event, start, end)
      found = event.indexOf(field, end)
    }
    if (tokens) return tokens
  }
  return 0
}

/** Where a mark first stands, if that is before `least`. */
function firstOf(bytes: Buffer, mark: string, least: number): number {
  const at = bytes.indexOf(mark)
  return at < 0 ? least : Math.min(at, least)
}

/** Where the text that begins at `from` ends: at the next quote that an even number of backslashes precedes. */
function endOfText(data: string, from: number): number {
  for (let at = data.indexOf(QUOTE, from); at >= 0; at = data.indexOf(QUOTE, at + 1)) {
    let back = at
    while (back > from && data.charCodeAt(back - 1) === BACKSLASH) back--
    if ((at - back) % 2 === 0) return at
  }
  return -1
}

/** Tokens of a piece by its bytes: four plain letters, one character of three bytes, at least one in all. */
function pieceTokens(data: string, from: number, to: number): number {
  if (from === to) return 0
  let quarters = 0
  for (let at = from; at < to; at++) {
    const byte = data.charCodeAt(at)
    if (byte === BACKSLASH) {
      const escapesCode = data.charCodeAt(at + 1) === LETTER_U
      quarters += escapesCode ? 4 : 1
      at += escapesCode ? 5 : 1
    } else if (byte < 0x80) quarters += 1
    else if (byte >= 0xe0) quarters += 4
    else if (byte >= 0xc0) quarters += 2
  }
  return Math.max(1, quarters >> 2)
}
