/**
 * Reads the chunks of a streamed chat completion as StreamEvents.
 * https://platform.openai.com/docs/api-reference/chat-streaming (read 2026-11)
 */
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { Delta, FailureFrame, ResponsePart, StreamEvent, ThinkingPart } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import { DeltaFastPath } from '../delta-fast-path.ts'
import type { EventReader, TextDelta } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { choiceOf, numberOf, objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import { readError } from './api-error.ts'
import { readAnnotations } from './citations.ts'
import { generationError, readFinish } from './finish-reason.ts'
import { readCallSignature } from './read-messages.ts'
import { AUDIO_TYPE, argumentsText, contentText, readImage, readLogprobs, thinkingOf } from './read-response.ts'
import { readReasoningDetails } from './reasoning-details.ts'
import { madeOf } from './stored-places.ts'
import { readUsage } from './usage.ts'

const DONE = '[DONE]'

export const readStream = (): EventReader => new ChatChunkReader()

class ChatChunkReader implements EventReader {
  readonly #choices = new Map<number, ChoiceReader>()
  #started = false
  #ended = false
  /** The last one that a chunk has reported. */
  #service_tier: unknown
  readonly #fastPath = new DeltaFastPath()

  read(data: string): StreamEvent[] {
    const delta = this.skim(data)
    return delta ? [delta] : this.#fastPath.learn(data, this.#parse(data))
  }

  skim(data: string, from = 0, to = data.length): TextDelta | undefined {
    const delta = this.#fastPath.read(data, from, to)
    if (delta) this.#choices.get(delta.choice)!.skimmed(delta.delta.text)
    return delta
  }

  #parse(data: string): StreamEvent[] {
    if (data === DONE) return this.#end()
    const chunk = parsedOrUndefined(data)
    if (!isObject(chunk)) return [{ kind: 'error', failure: unreadable }]
    this.#service_tier = chunk.service_tier ?? this.#service_tier
    const failure = chunk.error || !('choices' in chunk) ? readError(chunk) : undefined
    if (failure) return [{ kind: 'error', failure, frame: frameOf(chunk) }]
    const events = objectsOf(chunk.choices).flatMap(choice => this.#choice(choice))
    const all = this.#started ? events : [this.#start(chunk), ...events]
    return chunk.usage ? [...all, ...usageIn(chunk, this.#service_tier)] : all
  }

  made = () => [...this.#choices.values()].flatMap(({ audio }) => madeOf(audio))

  /** Some servers omit `[DONE]`: a stream is complete when every choice has a finish reason. */
  end(): StreamEvent[] {
    const choices = [...this.#choices.values()]
    return choices.length && choices.every(choice => choice.finished) ? this.#end() : []
  }

  /** Azure's first chunk has filter results of the prompt and `created` 0. */
  #start({ id, model, created }: Json): StreamEvent {
    this.#started = true
    return { kind: 'start', id: textOf(id), model: textOf(model), created: numberOf(created) || undefined }
  }

  #choice(choice: Json): StreamEvent[] {
    const index = choiceOf(choice.index)
    const reader = this.#choices.get(index) ?? new ChoiceReader(index)
    this.#choices.set(index, reader)
    const events = reader.read(choice)
    return choice.usage ? [...events, ...usageIn(choice, this.#service_tier)] : events
  }

  /** `[DONE]` finishes every choice that has no finish reason with `stop`. */
  #end(): StreamEvent[] {
    if (this.#ended) return []
    this.#ended = true
    const unfinished = [...this.#choices.values()].filter(choice => !choice.finished)
    return [...unfinished.flatMap(choice => choice.finish('stop')), { kind: 'end' }]
  }
}

/** Compatible servers have errors in other places too, where OpenAI's clients do not look. */
const frameOf = (chunk: Json): FailureFrame | undefined =>
  isObject(chunk.error) ? { words: chunk, is_last: true } : undefined

function usageIn(object: Json, service_tier: unknown): StreamEvent[] {
  const doubts: string[] = []
  const usage = readUsage(object.usage, doubts, service_tier)
  return usage ? [{ kind: 'usage', usage, doubts }] : []
}

const emptyText = { kind: 'text', text: '' } as const
const emptyThinking = { kind: 'thinking', text: '' } as const

const otherFields = [
  ...['reasoning_content', 'reasoning', 'reasoning_details', 'refusal', 'audio', 'images', 'tool_calls'],
  ...['function_call', 'annotations'],
]

/** Whether a delta has text and nothing else, as most do. */
const isPlainText = ({ logprobs, finish_reason }: Json, fields: Json): boolean =>
  typeof fields.content === 'string' &&
  fields.content !== '' &&
  !logprobs &&
  !finish_reason &&
  otherFields.every(field => !fields[field])

class ChoiceReader {
  finished = false
  /** The one that holds the id of the voice message. */
  audio: Json | undefined
  readonly #parts: PartTracker
  /** Text of the thought that is not signed yet: some servers repeat it with the signature. */
  #unsigned = ''
  #is_thinking = false
  readonly #callKeys = new Map<number, { id: string; key: string }>()

  constructor(choice: number) {
    this.#parts = new PartTracker(choice)
  }

  read(choice: Json): StreamEvent[] {
    const { delta, message, logprobs, finish_reason } = choice
    const fields = objectOf(delta ?? message)
    this.#is_thinking = false
    if (isPlainText(choice, fields)) return this.#parts.add('text', emptyText, [{ text: textOf(fields.content) }])
    const tokens = readLogprobs(logprobs)
    return [
      ...this.#readThinking(fields),
      ...this.#text(fields),
      ...this.#part('refusal', { kind: 'refusal', text: '' }, { text: textOf(fields.refusal) }),
      ...this.#audio(fields.audio),
      ...objectsOf(fields.images)
        .flatMap(readImage)
        .flatMap(image => this.#parts.whole(image)),
      ...this.#calls(fields),
      ...(tokens ? [{ kind: 'logprobs', choice: this.#parts.choice, tokens } as const] : []),
      ...(typeof finish_reason === 'string' ? this.finish(finish_reason) : []),
    ]
  }

  /** Notes text that was added to the part of the event before. */
  skimmed(text: string) {
    if (this.#is_thinking) this.#unsigned += text
  }

  finish(value: string): StreamEvent[] {
    if (this.finished) return []
    const failure = generationError(value)
    if (failure) return [{ kind: 'error', failure }]
    this.finished = true
    const finish = readFinish(value, this.#parts.called)
    return [...this.#parts.closeAll(), { kind: 'finish', choice: this.#parts.choice, finish }]
  }

  #readThinking(fields: Json): StreamEvent[] {
    const plain = textOf(fields.reasoning_content) || textOf(fields.reasoning) || thinkingOf(fields.content)
    const details = readReasoningDetails(fields.reasoning_details)
    return [...this.#addThinking(plain), ...details.flatMap(detail => this.#sign(detail, plain !== ''))]
  }

  #addThinking(text: string): StreamEvent[] {
    this.#is_thinking ||= text !== ''
    const events = this.#part('thinking', emptyThinking, { text })
    const isNext = events.some(({ kind }) => kind === 'open')
    this.#unsigned = isNext ? text : this.#unsigned + text
    return events
  }

  /** @param isWritten whether the same chunk also has the text as plain text */
  #sign({ text, signature }: ThinkingPart, isWritten: boolean): StreamEvent[] {
    if (signature?.redacted) return this.#parts.whole({ ...emptyThinking, signature })
    const added = isWritten || text === this.#unsigned ? [] : this.#addThinking(text)
    if (!signature) return added
    this.#unsigned = ''
    return [...added, ...this.#parts.add('thinking', emptyThinking, [{ signature }])]
  }

  #text(fields: Json): StreamEvent[] {
    const citations = readAnnotations(fields.annotations).map(citation => ({ citation }))
    return this.#part('text', emptyText, { text: contentText(fields.content) }, ...citations)
  }

  #audio(audio: unknown): StreamEvent[] {
    if (!isObject(audio)) return []
    this.audio ??= audio
    const opening = { kind: 'audio', source: { via: 'base64', media_type: AUDIO_TYPE, data: '' } } as const
    return this.#part('audio', opening, { audio: textOf(audio.data) }, { transcript: textOf(audio.transcript) })
  }

  #part(key: string, opening: ResponsePart, ...deltas: Delta[]): StreamEvent[] {
    const present = deltas.filter(delta => Object.values(delta)[0] !== '')
    return present.length ? this.#parts.add(key, opening, present) : []
  }

  #calls({ tool_calls, function_call }: Json): StreamEvent[] {
    const legacy = isObject(function_call) ? [{ index: 0, function: function_call }] : []
    return [...objectsOf(tool_calls), ...legacy].flatMap((call, position) => this.#call(call, position))
  }

  #call(call: Json, position: number): StreamEvent[] {
    const { name, arguments: value } = objectOf(call.function)
    const id = textOf(call.id)
    const signature = readCallSignature(call)
    const opening = { kind: 'tool_call', id, name: textOf(name), arguments: '', signature } as const
    const text = argumentsText(value)
    const index = numberOf(call.index) ?? position
    // Some servers send a call of nothing before the first.
    if (!id && !opening.name && !text && !this.#callKeys.has(index)) return []
    const key = this.#callKey(index, id)
    // Some repeat the calls, or send an empty end of each, when all are complete.
    if (this.#parts.hasEnded(key)) return []
    return this.#parts.add(key, opening, text ? [{ arguments: text }] : [])
  }

  /**
   * A fragment belongs to the call of its index. Some servers give every call one index; there a new id starts a new
   * call.
   */
  #callKey(index: number, id: string): string {
    const known = this.#callKeys.get(index)
    if (known && (!id || known.id === id)) return known.key
    const key = `call ${index} ${id}`
    this.#callKeys.set(index, { id, key })
    return key
  }
}
