import type { Json } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { Delta, ResponsePart, StreamEvent, ThinkingPart } from '../canonical/chat.ts'
import { PartTracker } from '../canonical/part-tracker.ts'
import { DeltaFastPath } from '../delta-fast-path.ts'
import type { EventReader, TextDelta } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { choiceOf, numberOf, objectOf, objectsOf, parsed, textOf } from '../json/lenient-json.ts'
import { readError } from './api-error.ts'
import { readAnnotations } from './citations.ts'
import { brokenOff, readFinish } from './finish.ts'
import { readCallSignature } from './read-messages.ts'
import { AUDIO, readImage, readLogprobs, thoughtIn } from './read-response.ts'
import { readReasoningDetails } from './reasoning-details.ts'
import { readUsage } from './usage.ts'

const DONE = '[DONE]'

export const readStream = (): EventReader => new ChatEvents()

class ChatEvents implements EventReader {
  readonly #choices = new Map<number, ChoiceReader>()
  #started = false
  #over = false
  readonly #fast_path = new DeltaFastPath()

  read(data: string): StreamEvent[] {
    const delta = this.skim(data)
    return delta ? [delta] : this.#fast_path.learn(data, this.#parse(data))
  }

  skim(data: string, from = 0, to = data.length): TextDelta | undefined {
    const delta = this.#fast_path.read(data, from, to)
    if (delta) this.#choices.get(delta.choice)!.skimmed(delta.delta.text)
    return delta
  }

  #parse(data: string): StreamEvent[] {
    if (data === DONE) return this.#end()
    const chunk = parsed(data)
    if (!isObject(chunk)) return [{ kind: 'error', failure: unreadable }]
    const failure = chunk.error || !('choices' in chunk) ? readError(chunk) : undefined
    if (failure) return [{ kind: 'error', failure }]
    const said = objectsOf(chunk.choices).flatMap(choice => this.#choice(choice))
    const begun = this.#started ? said : [this.#start(chunk), ...said]
    return chunk.usage ? [...begun, ...usageIn(chunk)] : begun
  }

  /** Not all of them say `[DONE]`; who has given a reason to finish is done. */
  end(): StreamEvent[] {
    const choices = [...this.#choices.values()]
    return choices.length && choices.every(choice => choice.finished) ? this.#end() : []
  }

  /** Azure’s first event is about the prompt, and of no time. */
  #start({ id, model, created }: Json): StreamEvent {
    this.#started = true
    return { kind: 'start', id: textOf(id), model: textOf(model), created: numberOf(created) || undefined }
  }

  #choice(choice: Json): StreamEvent[] {
    const index = choiceOf(choice.index)
    const reader = this.#choices.get(index) ?? new ChoiceReader(index)
    this.#choices.set(index, reader)
    const said = reader.read(choice)
    return choice.usage ? [...said, ...usageIn(choice)] : said
  }

  /** Who says `[DONE]` without a reason has stopped. */
  #end(): StreamEvent[] {
    if (this.#over) return []
    this.#over = true
    const unfinished = [...this.#choices.values()].filter(choice => !choice.finished)
    return [...unfinished.flatMap(choice => choice.finish('stop')), { kind: 'end' }]
  }
}

function usageIn(holder: Json): StreamEvent[] {
  const doubts: string[] = []
  const usage = readUsage(holder.usage, doubts)
  return usage ? [{ kind: 'usage', usage, doubts }] : []
}

const words = { kind: 'text', text: '' } as const
const thinking = { kind: 'thinking', text: '' } as const

const others = [
  ...['reasoning_content', 'reasoning', 'reasoning_details', 'refusal', 'audio', 'images', 'tool_calls'],
  ...['function_call', 'annotations'],
]

/** Whether it is a piece of text and nothing else, as nearly all are. */
const isWord = ({ logprobs, finish_reason }: Json, said: Json): boolean =>
  typeof said.content === 'string' &&
  said.content !== '' &&
  !logprobs &&
  !finish_reason &&
  others.every(field => !said[field])

class ChoiceReader {
  finished = false
  readonly #parts: PartTracker
  /** The thought so far: some tell it once more when they sign it. */
  #thought = ''
  #is_thinking = false
  readonly #slots = new Map<number, { id: string; key: string }>()

  constructor(choice: number) {
    this.#parts = new PartTracker(choice)
  }

  read(choice: Json): StreamEvent[] {
    const { delta, message, logprobs, finish_reason } = choice
    const said = objectOf(delta ?? message)
    this.#is_thinking = false
    if (isWord(choice, said)) return this.#parts.add('text', words, [{ text: textOf(said.content) }])
    const tokens = readLogprobs(logprobs)
    return [
      ...this.#think(said),
      ...this.#text(said),
      ...this.#part('refusal', { kind: 'refusal', text: '' }, { text: textOf(said.refusal) }),
      ...this.#audio(said.audio),
      ...objectsOf(said.images)
        .flatMap(readImage)
        .flatMap(image => this.#parts.whole(image)),
      ...this.#calls(said),
      ...(tokens ? [{ kind: 'logprobs', choice: this.#parts.choice, tokens } as const] : []),
      ...(typeof finish_reason === 'string' ? this.finish(finish_reason) : []),
    ]
  }

  /** Text was added to the part that the event before added to. */
  skimmed(text: string) {
    if (this.#is_thinking) this.#thought += text
  }

  finish(word: string): StreamEvent[] {
    if (this.finished) return []
    const failure = brokenOff(word)
    if (failure) return [{ kind: 'error', failure }]
    this.finished = true
    const finish = readFinish(word, this.#parts.called)
    return [...this.#parts.closeAll(), { kind: 'finish', choice: this.#parts.choice, finish }]
  }

  #think(said: Json): StreamEvent[] {
    const plain = textOf(said.reasoning_content) || textOf(said.reasoning) || thoughtIn(said.content)
    const details = readReasoningDetails(said.reasoning_details)
    return [...this.#thinkOn(plain), ...details.flatMap(thought => this.#sign(thought, plain !== ''))]
  }

  #thinkOn(text: string): StreamEvent[] {
    this.#thought += text
    this.#is_thinking ||= text !== ''
    return this.#part('thinking', thinking, { text })
  }

  /** @param told whether the same event has told the text in plain words too. */
  #sign({ text, signature }: ThinkingPart, told: boolean): StreamEvent[] {
    if (signature?.redacted) return this.#parts.whole({ ...thinking, signature })
    const news = told || text === this.#thought ? [] : this.#thinkOn(text)
    if (!signature) return news
    this.#thought = ''
    return [...news, ...this.#parts.add('thinking', thinking, [{ signature }])]
  }

  #text(said: Json): StreamEvent[] {
    const { content } = said
    const text = Array.isArray(content)
      ? objectsOf(content)
          .map(part => textOf(part.text))
          .join('')
      : textOf(content)
    const cited = readAnnotations(said.annotations).map(citation => ({ citation }))
    return this.#part('text', words, { text }, ...cited)
  }

  #audio(audio: unknown): StreamEvent[] {
    if (!isObject(audio)) return []
    const opening = { kind: 'audio', source: { via: 'base64', media_type: AUDIO, data: '' } } as const
    return this.#part('audio', opening, { audio: textOf(audio.data) }, { transcript: textOf(audio.transcript) })
  }

  #part(key: string, opening: ResponsePart, ...deltas: Delta[]): StreamEvent[] {
    const telling = deltas.filter(delta => Object.values(delta)[0] !== '')
    return telling.length ? this.#parts.add(key, opening, telling) : []
  }

  #calls({ tool_calls, function_call }: Json): StreamEvent[] {
    const old = isObject(function_call) ? [{ index: 0, function: function_call }] : []
    return [...objectsOf(tool_calls), ...old].flatMap((call, position) => this.#call(call, position))
  }

  #call(call: Json, position: number): StreamEvent[] {
    const { name, arguments: given } = objectOf(call.function)
    const id = textOf(call.id)
    const signature = readCallSignature(call)
    const opening = { kind: 'tool_call', id, name: textOf(name), arguments: '', signature } as const
    const text = isObject(given) ? JSON.stringify(given) : textOf(given)
    return this.#parts.add(this.#slot(numberOf(call.index) ?? position, id), opening, text ? [{ arguments: text }] : [])
  }

  /** A fragment belongs to the call of its index; but some count no calls, and only a new id tells a new one. */
  #slot(index: number, id: string): string {
    const known = this.#slots.get(index)
    if (known && (!id || known.id === id)) return known.key
    const key = `call ${index} ${id}`
    this.#slots.set(index, { id, key })
    return key
  }
}
