/**
 * Meters a realtime session: by the usage of each response as the upstream reports it, else by the audio and text of
 * its events and the conversation before it. https://platform.openai.com/docs/api-reference/realtime (read 2026-11)
 */
import { promptTokens, wasUsed } from '../../billing/usage.ts'
import type { Json } from '../../pure/json.ts'
import { type Usage, usageOf } from '../canonical/chat.ts'
import type { MeteredUsage } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, textOf } from '../json/lenient-json.ts'
import { detailsIn, readTokens } from '../json/token-usage.ts'
import { bytesPerSecond, inputAudioTokens, secondsOf } from './audio.ts'
import { Conversation, sumOf } from './conversation.ts'
import { InputAudio } from './input-audio.ts'
import { instructionTokens, itemUsage } from './items.ts'
import { Transcriptions } from './transcriptions.ts'
import { asInput, isPiece, requestedTurn, Turn, usedNothing } from './turn.ts'

export class SessionMeter {
  /** Usage of the ended responses, by the tier of their prompts. */
  readonly #ended = new Map<number, Usage>()
  /** Asked for and not reported yet, in the order of their beginning. */
  #turns: Turn[] = []
  readonly #conversation = new Conversation()
  readonly #audio = new InputAudio()
  readonly #transcriptions = new Transcriptions()
  readonly #doubts: string[] = []
  #by: MeteredUsage['by'] = 'upstream'
  #rate = { input: bytesPerSecond('pcm16'), output: bytesPerSecond('pcm16') }
  /** The longest instructions and tools of the session, in tokens. */
  #instructions = 0
  /** The upstream finds the ends of speech; undefined until it says so. */
  #detectsSpeech: boolean | undefined
  /** The end of speech asks for a response. */
  #answersSpeech = true

  /**
   * @param edges prompt lengths at which tiers begin, in descending order
   * @param model decides what a picture counts
   */
  constructor(
    private readonly edges: readonly number[] = [],
    private readonly model = '',
  ) {}

  readClientEvent(event: Json) {
    const { type, audio, item, session } = event
    if (type === 'input_audio_buffer.append') this.#audio.append(secondsOf(audio, this.#rate.input))
    if (type === 'input_audio_buffer.clear') this.#audio.clear()
    if (type === 'input_audio_buffer.commit') this.#hear(this.#audio.commit())
    if (type === 'conversation.item.create') this.#conversation.add(itemUsage(objectOf(item), this.#measure))
    if (type === 'session.update' || type === 'transcription_session.update')
      this.#readRequestedSession(objectOf(session))
    const turn = this.requestedTurn(event)
    if (turn) this.#turns.push(turn)
  }

  /** The turn that an event of the client asks for. */
  requestedTurn(event: Json): Turn | undefined {
    if (event.type !== 'response.create') return undefined
    return requestedTurn(event, this.#mark, usageOf({ input: this.#instructions }), this.#measure)
  }

  /** The turn that the next end of speech asks for; undefined while another one runs. */
  detectedTurn(): Turn | undefined {
    const isNext = this.#detectsSpeech && this.#answersSpeech && !this.#turns.length
    return isNext ? new Turn({ mark: this.#conversation.mark }) : undefined
  }

  /** Reads an event from the upstream. @returns whether it ends a turn, or makes the next one longer */
  readUpstreamEvent(event: Json): boolean {
    const type = textOf(event.type)
    if (isPiece(type)) this.#turnOf(event.response_id).read(type, event.delta, this.#rate.output)
    else if (isSession.test(type)) this.#readSession(objectOf(event.session))
    else if (type.startsWith(TRANSCRIPTION)) this.#readTranscription(type.slice(TRANSCRIPTION.length), event)
    else if (type.startsWith(BUFFER)) return this.#readBuffer(type.slice(BUFFER.length), event)
    else if (type === 'response.created') this.#turnOf(objectOf(event.response).id)
    else if (type === 'response.done') this.#endTurn(objectOf(event.response))
    else if (type === 'error') this.#drop(objectOf(event.error))
    return type === 'response.done'
  }

  /** Output tokens of the running responses. */
  get pending(): number {
    return this.#turns.reduce((sum, { output }) => sum + output, 0)
  }

  /** Whether the upstream will report something. */
  get isRunning(): boolean {
    return this.#turns.length > 0 || this.#transcriptions.isRunning
  }

  /** Prompt tokens of the running or next response: the conversation so far. */
  get prompt(): number {
    const turn = this.#turns.at(-1) ?? new Turn({ mark: this.#conversation.mark })
    return promptTokens(turn.promptIn(this.#conversation))
  }

  /** Usage so far, with prompt and output of each running response, and of one more. */
  read(next?: Turn): MeteredUsage {
    const parts = new Map(this.#ended)
    const turns = next ? [...this.#turns, next] : this.#turns
    const running = turns.map(turn => turn.usageIn(this.#conversation)).concat(this.#transcriptions.unreported())
    for (const usage of running) this.#add(parts, usage)
    const usage = [...parts.values()].reduce(sumOf, usageOf())
    const by_tier = new Map([...parts].sort(([one], [other]) => one - other))
    return {
      usage: this.edges.length ? { ...usage, by_tier } : usage,
      by: running.some(wasUsed) ? 'gateway' : this.#by,
      doubts: this.#doubts,
    }
  }

  /** Where no speech is detected, some upstreams answer what was not committed. */
  get #mark(): Usage {
    const waiting = this.#detectsSpeech ? 0 : inputAudioTokens(this.#audio.buffered)
    return sumOf(this.#conversation.mark, usageOf({ input_audio: waiting }))
  }

  get #measure() {
    return { rate: this.#rate.input, model: this.model }
  }

  #add(parts: Map<number, Usage>, turn: Usage) {
    const prompt = promptTokens(turn)
    const tier = this.edges.find(from => prompt >= from) ?? 0
    if (wasUsed(turn)) parts.set(tier, sumOf(parts.get(tier) ?? usageOf(), turn))
  }

  #hear(seconds: number) {
    this.#conversation.add(usageOf({ input_audio: inputAudioTokens(seconds) }))
  }

  #readBuffer(type: string, { audio_start_ms, audio_end_ms, item_id }: Json): boolean {
    if (type === 'cleared') this.#audio.cleared()
    if (type === 'speech_started') this.#audio.speechStarted(audio_start_ms)
    if (type === 'speech_stopped') this.#hearDetected(this.#audio.speechStopped(audio_end_ms))
    if (type === 'committed') {
      const { seconds, wasCounted } = this.#audio.committed()
      if (!wasCounted) this.#hearDetected(seconds)
      this.#transcriptions.begin(item_id, seconds)
    }
    return type === 'speech_stopped' || type === 'committed'
  }

  /** The end of speech asks for a response; a second one before the response does not ask again. */
  #hearDetected(seconds: number) {
    this.#hear(seconds)
    if (!this.#answersSpeech) return
    const { mark } = this.#conversation
    this.#turns = this.#turns.filter(({ id, request }) => id !== undefined || request.event_id !== undefined)
    this.#turns.push(new Turn({ mark }))
  }

  #readTranscription(type: string, event: Json) {
    if (type === 'delta') this.#transcriptions.read(event)
    if (type === 'failed') this.#transcriptions.fail(event)
    const ended = type === 'completed' ? this.#transcriptions.end(event) : undefined
    if (!ended) return
    this.#add(this.#ended, ended.usage)
    this.#doubts.push(...ended.doubts)
    if (ended.isCounted) this.#by = 'gateway'
  }

  /** The turn of a response; without ids, the oldest one. */
  #turnOf(id: unknown): Turn {
    const [oldest] = this.#turns
    const known = typeof id === 'string' ? this.#turns.find(turn => turn.id === id) : oldest
    const turn = known ?? this.#turns.find(turn => turn.id === undefined) ?? new Turn({ mark: this.#mark })
    if (!this.#turns.includes(turn)) this.#turns.push(turn)
    if (typeof id === 'string') turn.id ??= id
    return turn
  }

  #endTurn(response: Json) {
    const turn = this.#turnOf(response.id)
    const estimate = turn.usageIn(this.#conversation)
    this.#turns = this.#turns.filter(other => other !== turn)
    const report = isObject(response.usage) ? response.usage : undefined
    const reported = readTokens(report)
    if (!reported && !turn.output && usedNothing(response)) return
    if (reported) this.#doubts.push(...reported.doubts)
    else if (wasUsed(estimate)) this.#by = 'gateway'
    const usage = reported?.usage ?? estimate
    this.#add(this.#ended, usage)
    const { mark, hasItems, isApart } = turn.request
    if (isApart) return
    if (mark && !hasItems) this.#conversation.measure(asPrompt(usage, report), asInput(usage), mark)
    else this.#conversation.add(asInput(usage))
  }

  /** A request that the upstream refuses by its id asks for nothing. A response that was created is not refused. */
  #drop({ event_id }: Json) {
    const isRefused = ({ id, request }: Turn) => id === undefined && request.event_id && request.event_id === event_id
    this.#turns = this.#turns.filter(turn => !isRefused(turn))
  }

  /** What the upstream may refuse counts where it makes a bill higher. */
  #readRequestedSession(session: Json) {
    this.#readInstructions(session)
    const { input, output } = ratesOf(session)
    this.#rate = { input: Math.min(this.#rate.input, input), output: Math.min(this.#rate.output, output) }
  }

  #readSession(session: Json) {
    this.#readInstructions(session)
    this.#transcriptions.readSession(session)
    this.#rate = ratesOf(session)
    const input = objectOf(objectOf(session.audio).input)
    const detection = 'turn_detection' in session ? session.turn_detection : input.turn_detection
    if (detection === undefined) return
    this.#detectsSpeech = isObject(detection)
    this.#answersSpeech = isObject(detection) && detection.create_response !== false
  }

  #readInstructions(session: Json) {
    const more = instructionTokens(session) - this.#instructions
    if (more <= 0) return
    this.#instructions += more
    this.#conversation.add(usageOf({ input: more }))
  }
}

const isSession = /^(?:transcription_)?session\.(?:created|updated)$/
const BUFFER = 'input_audio_buffer.'
const TRANSCRIPTION = 'conversation.item.input_audio_transcription.'

/** A measured prompt without the mark of what was cached, which the next turn may not find in the cache again. */
function asPrompt(usage: Usage, report: Json | undefined): Usage {
  const { cached_tokens_details } = detailsIn(report, 'input')
  const audio = Math.min(numberOf(objectOf(cached_tokens_details).audio_tokens) ?? 0, usage.cache_read)
  return usageOf({
    input: usage.input + usage.cache_read - audio,
    input_audio: usage.input_audio + audio,
    input_image: usage.input_image,
  })
}

function ratesOf({ audio, input_audio_format, output_audio_format }: Json) {
  const of = (side: 'input' | 'output') => objectOf(objectOf(audio)[side]).format
  return {
    input: bytesPerSecond(of('input') ?? input_audio_format),
    output: bytesPerSecond(of('output') ?? output_audio_format),
  }
}
