import { buckets } from '../../billing/usage.ts'
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import { type Usage, usageOf } from '../canonical/chat.ts'
import type { MeteredUsage } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import { readTokens } from '../json/token-usage.ts'
import { bytesPerSecond, TOKENS_PER_SECOND_HEARD, TOKENS_PER_SECOND_SPOKEN } from './audio.ts'

/** What a session uses, turn by turn: as the upstream reports it, else as it was heard here. */
export class SessionMeter {
  readonly #reported = usageOf()
  readonly #doubts: string[] = []
  #by: MeteredUsage['by'] = 'upstream'
  /** Since the last turn ended. */
  #turn = usageOf()
  #seconds = { heard: 0, spoken: 0 }
  #rate = { input: bytesPerSecond('pcm16'), output: bytesPerSecond('pcm16') }

  /** An event from the caller. */
  asks({ type, audio, item, session, response }: Json) {
    if (type === 'input_audio_buffer.append') this.#seconds.heard += secondsOf(audio, this.#rate.input)
    if (type === 'conversation.item.create') this.#turn.input += textTokens(item)
    if (type === 'session.update') this.#turn.input += instructionTokens(session)
    if (type === 'response.create') this.#turn.input += instructionTokens(response)
  }

  /** An event from the upstream. @returns whether it has ended a turn */
  answers(event: Json): boolean {
    const type = textOf(event.type)
    if (type === 'session.created' || type === 'session.updated') this.#learnFormats(event.session)
    else if (type === 'response.done') this.#endTurn(event.response)
    else if (isAudio.test(type)) this.#seconds.spoken += secondsOf(event.delta, this.#rate.output)
    else if (isText.test(type)) this.#turn.output += estimateTokens(textOf(event.delta))
    return type === 'response.done'
  }

  /** Output of the turn that runs, in tokens. */
  get pending(): number {
    return this.#turn.output + this.#seconds.spoken * TOKENS_PER_SECOND_SPOKEN
  }

  /** All that was used so far; of a turn that runs, what was produced and what it was asked with. */
  read(): MeteredUsage {
    const running = this.pending > 0
    const usage = running ? added(this.#reported, this.#counted()) : { ...this.#reported }
    return { usage, by: running ? 'gateway' : this.#by, doubts: this.#doubts }
  }

  #endTurn(response: unknown) {
    const told = readTokens(isObject(response) && isObject(response.usage) ? response.usage : undefined)
    if (told) this.#doubts.push(...told.doubts)
    else if (this.pending) this.#by = 'gateway'
    Object.assign(this.#reported, added(this.#reported, told?.usage ?? (this.pending ? this.#counted() : usageOf())))
    this.#turn = usageOf()
    this.#seconds = { heard: 0, spoken: 0 }
  }

  #counted = (): Usage => ({
    ...this.#turn,
    input_audio: Math.ceil(this.#seconds.heard * TOKENS_PER_SECOND_HEARD),
    output_audio: Math.ceil(this.#seconds.spoken * TOKENS_PER_SECOND_SPOKEN),
  })

  #learnFormats(session: unknown) {
    if (!isObject(session)) return
    const { audio, input_audio_format, output_audio_format } = session
    const of = (side: 'input' | 'output') => (isObject(audio) && isObject(audio[side]) ? audio[side].format : undefined)
    this.#rate = {
      input: bytesPerSecond(of('input') ?? input_audio_format),
      output: bytesPerSecond(of('output') ?? output_audio_format),
    }
  }
}

const isAudio = /^response\.(?:output_)?audio\.delta$/
const isText = /^response\.(?:(?:output_)?text|function_call_arguments)\.delta$/

const BYTES_PER_CHARACTER = 3 / 4

const secondsOf = (base64: unknown, rate: number): number =>
  typeof base64 === 'string' ? (base64.length * BYTES_PER_CHARACTER) / rate : 0

const textTokens = (item: unknown): number =>
  isObject(item) && Array.isArray(item.content)
    ? item.content.reduce((sum, part) => sum + estimateTokens(textOf(objectOf(part).text)), 0)
    : 0

function instructionTokens(session: unknown): number {
  if (!isObject(session)) return 0
  const { instructions, tools } = session
  return estimateTokens(textOf(instructions)) + estimateTokens(tools === undefined ? '' : JSON.stringify(tools))
}

function added(one: Usage, other: Usage): Usage {
  const sum = { ...one, reasoning: one.reasoning + other.reasoning }
  for (const bucket of buckets) sum[bucket] += other[bucket]
  return sum
}
