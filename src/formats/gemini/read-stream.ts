/**
 * Reads the events of streamGenerateContent as StreamEvents: each event is a response with incremental parts.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { Delta, ResponsePart, Signature, StreamEvent, TokenLogprob } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import type { EventReader } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { choiceOf, numberOf, objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { readError } from './api-error.ts'
import { readFinish } from './finish-reason.ts'
import { queriesIn, readGrounding, readRecitations, searchesIn } from './grounding.ts'
import { isServerSide, readCode, readServerSide } from './read-contents.ts'
import { readUsage } from './usage.ts'

export const readStream = (): EventReader => new GeminiStreamReader()

export class GeminiStreamReader implements EventReader {
  readonly #candidates = new Map<number, CandidateReader>()
  #started = false
  #ended = false

  read(data: string): StreamEvent[] {
    const body = parsedOrUndefined(data)
    const single = Array.isArray(body) && body.length === 1 ? body[0] : body
    if (!isObject(single)) return [{ kind: 'error', failure: unreadable }]
    const failure = readError(single, 0)
    if (!failure) return this.take(single)
    const frame = isObject(single.error) ? { words: single, is_last: true } : undefined
    return [{ kind: 'error', failure, frame }]
  }

  take(body: Json): StreamEvent[] {
    const events = objectsOf(body.candidates).flatMap(candidate => this.#candidate(candidate).read(candidate))
    return [...this.#start(body), ...events, ...this.#usage(body)]
  }

  /** The format has no end event: a stream is complete when every candidate has a finish reason. */
  end(): StreamEvent[] {
    const candidates = [...this.#candidates.values()]
    if (this.#ended || !candidates.length || !candidates.every(({ finished }) => finished)) return []
    this.#ended = true
    return [{ kind: 'end' }]
  }

  #start({ responseId, modelVersion }: Json): StreamEvent[] {
    if (this.#started) return []
    this.#started = true
    return [{ kind: 'start', id: textOf(responseId), model: textOf(modelVersion) }]
  }

  #candidate({ index }: Json): CandidateReader {
    const choice = choiceOf(index)
    const candidate = this.#candidates.get(choice) ?? new CandidateReader(choice)
    this.#candidates.set(choice, candidate)
    return candidate
  }

  #usage({ usageMetadata }: Json): StreamEvent[] {
    const doubts: string[] = []
    const usage = readUsage(usageMetadata, doubts)
    if (!usage) return []
    const google_search = [...this.#candidates.values()].reduce((sum, { search_queries }) => sum + search_queries, 0)
    const tools: Record<string, number> = google_search ? { google_search } : {}
    return [{ kind: 'usage', usage: { ...usage, tools }, doubts }]
  }
}

class CandidateReader {
  finished = false
  search_queries = 0
  #shown_queries = 0
  #text = ''
  readonly #parts: PartTracker
  #calls = 0

  constructor(choice: number) {
    this.#parts = new PartTracker(choice)
  }

  read({ content, finishReason, groundingMetadata, citationMetadata, logprobsResult }: Json): StreamEvent[] {
    const events = objectsOf(objectOf(content).parts).flatMap(part => this.#part(part))
    const tokens = readLogprobs(objectOf(logprobsResult))
    return [
      ...events,
      ...this.#ground(objectOf(groundingMetadata), objectOf(citationMetadata)),
      ...(tokens.length ? [{ kind: 'logprobs', choice: this.#parts.choice, tokens } as const] : []),
      ...this.#finish(textOf(finishReason)),
    ]
  }

  #part(part: Json): StreamEvent[] {
    const value = textOf(part.thoughtSignature)
    const signature: Signature | undefined = value ? { owner: 'gemini', value } : undefined
    if (isObject(part.functionCall)) return this.#call(part.functionCall, signature)
    if (isObject(part.inlineData)) return this.#media(part.inlineData)
    if (isObject(part.executableCode) || isObject(part.codeExecutionResult)) return this.#parts.whole(readCode(part))
    if (isServerSide(part)) return this.#serverSide(part)
    const kind = part.thought === true ? 'thinking' : 'text'
    const text = textOf(part.text)
    if (kind === 'text') this.#text += text
    const deltas: Delta[] = [...(text ? [{ text }] : []), ...(signature ? [{ signature }] : [])]
    return deltas.length ? this.#parts.add(kind, { kind, text: '' }, deltas) : []
  }

  /** A tool call arrives in one part. The key is its number, as two calls can be equal. */
  #call({ id, name, args }: Json, signature: Signature | undefined): StreamEvent[] {
    const opening = { kind: 'tool_call', id: textOf(id), name: textOf(name), arguments: '', signature } as const
    return this.#parts.add(`call ${this.#calls++}`, opening, [{ arguments: JSON.stringify(objectOf(args)) }])
  }

  /** Where responses show the searches, metadata need not name them again. */
  #serverSide(part: Json): StreamEvent[] {
    this.#shown_queries += queriesIn(objectOf(part.toolCall))
    this.search_queries = Math.max(this.search_queries, this.#shown_queries)
    return this.#parts.whole(readServerSide(part))
  }

  #media({ mimeType, data }: Json): StreamEvent[] {
    const media_type = textOf(mimeType)
    const source = { via: 'base64', media_type, data: textOf(data) } as const
    if (!media_type.startsWith('audio/')) return this.#parts.whole({ kind: 'image', source })
    const opening: ResponsePart = { kind: 'audio', source: { ...source, data: '' } }
    return this.#parts.add('audio', opening, [{ audio: source.data }])
  }

  #ground(grounding: Json, recitations: Json): StreamEvent[] {
    this.search_queries = Math.max(this.search_queries, searchesIn(grounding))
    const citations = [...readGrounding(grounding, this.#text), ...readRecitations(recitations, this.#text)]
    const deltas = citations.map(citation => ({ citation }))
    return deltas.length ? this.#parts.add('text', { kind: 'text', text: '' }, deltas) : []
  }

  #finish(reason: string): StreamEvent[] {
    if (!reason || this.finished) return []
    this.finished = true
    const finish = readFinish(reason, this.#parts.called)
    return [...this.#parts.closeAll(), { kind: 'finish', choice: this.#parts.choice, finish }]
  }
}

function readLogprobs({ chosenCandidates, topCandidates }: Json): TokenLogprob[] {
  const tops = objectsOf(topCandidates)
  return objectsOf(chosenCandidates).map((chosen, index) => ({
    ...readToken(chosen),
    alternatives: objectsOf(tops[index]?.candidates).map(readToken),
  }))
}

const readToken = ({ token, logProbability }: Json) => ({
  token: textOf(token),
  logprob: numberOf(logProbability) ?? 0,
})
