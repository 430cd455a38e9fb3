/** A strict upstream of realtime sessions: it keeps the conversation, answers turns and reports what they used. */
import { Conversation, type Item, type ModelUsage } from './realtime-conversation.ts'

type Json = Record<string, any>

/** How a turn is answered. */
export interface ModelAnswer {
  words?: number
  /** Of speech, each with a word of its transcript. */
  tenths?: number
  /** Awaited before the response is created. */
  created?: Promise<unknown>
  /** Awaited before the first piece. */
  start?: Promise<unknown>
  /** Awaited before the report. */
  report?: Promise<unknown>
}

export interface ModelSession {
  events: Json[]
  /** What the operator pays for: reported, or used when the connection closed. */
  billed: ModelUsage[]
  closed: boolean
  running: number
}

export interface RealtimeModel {
  url: string
  /** One for each turn; the last one stays. */
  answers: ModelAnswer[]
  sessions: ModelSession[]
  stop(): void
}

type Socket = Bun.ServerWebSocket<Session>

const TENTH = Buffer.alloc(4800, 1).toString('base64')

export function realtimeModel(key = 'sk-upstream'): RealtimeModel {
  const answers: ModelAnswer[] = []
  const sessions: Session[] = []
  const server = Bun.serve<Session>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, server) {
      const url = new URL(request.url)
      if (url.pathname !== '/v1/realtime' || !url.searchParams.get('model')) return new Response('', { status: 404 })
      if (request.headers.get('authorization') !== `Bearer ${key}`) return new Response('', { status: 401 })
      const data = new Session(() => (answers.length > 1 ? answers.shift()! : (answers[0] ?? {})))
      if (!server.upgrade(request, { data })) return new Response('', { status: 426 })
      sessions.push(data)
    },
    websocket: {
      open: socket => socket.data.open(socket),
      message: (socket, text) => socket.data.read(JSON.parse(String(text))),
      close: socket => socket.data.close(),
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, answers, sessions, stop: () => void server.stop(true) }
}

class Session implements ModelSession {
  readonly events: Json[] = []
  readonly billed: ModelUsage[] = []
  closed = false
  #socket!: Socket
  #count = 0
  readonly #turns = new Set<{ usage: ModelUsage; isApart: boolean }>()
  readonly #conversation = new Conversation()

  constructor(private readonly answer: () => ModelAnswer) {}

  get running(): number {
    return this.#turns.size
  }

  open(socket: Socket) {
    this.#socket = socket
    this.#say('session.created', { session: this.#conversation.session })
  }

  close() {
    this.closed = true
    for (const { usage } of this.#turns) this.billed.push(usage)
    this.#turns.clear()
  }

  read(event: Json) {
    this.events.push(event)
    try {
      this.#handle(event)
    } catch (error) {
      const { message } = error as Error
      const code = message.startsWith('active') ? 'conversation_already_has_active_response' : 'invalid_value'
      const type = 'invalid_request_error'
      this.#say('error', { error: { type, code, message, param: null, event_id: event.event_id ?? null } })
    }
  }

  #handle({ type, event_id, item, audio, session, response = {} }: Json) {
    if (event_id !== undefined && typeof event_id !== 'string') throw new Error('event_id is no string')
    const conversation = this.#conversation
    switch (type) {
      case 'session.update':
        return this.#say('session.updated', { session: conversation.update(session) })
      case 'conversation.item.create':
        return this.#added(conversation.add(item))
      case 'conversation.item.delete':
        return
      case 'input_audio_buffer.append':
        for (const found of conversation.hear(audio)) this.#detect(found)
        return
      case 'input_audio_buffer.commit':
        return this.#commit(conversation.commit())
      case 'response.create': {
        const isApart = response.conversation === 'none'
        if (!isApart && [...this.#turns].some(turn => !turn.isApart)) throw new Error('active response in progress')
        void this.#respond(conversation.prompt(response), isApart)
        return
      }
      default:
        throw new Error(`unknown event ${type}`)
    }
  }

  #detect({ type, ms, item }: { type: string; ms: number; item?: Item }) {
    if (type === 'speech_started') return this.#say('input_audio_buffer.speech_started', { audio_start_ms: ms })
    this.#say('input_audio_buffer.speech_stopped', { audio_end_ms: ms })
    this.#commit(item!)
    const { turn_detection } = this.#conversation.session.audio.input
    if (turn_detection.create_response !== false) void this.#respond(this.#conversation.prompt({}), false)
  }

  #commit(item: Item) {
    this.#say('input_audio_buffer.committed', { item_id: item.id })
    this.#added(item)
    if (!this.#conversation.session.audio.input.transcription) return
    const audio_tokens = item.usage.audio_in
    const input_token_details = { text_tokens: 0, audio_tokens }
    const report = { type: 'tokens', total_tokens: audio_tokens + 2, input_tokens: audio_tokens, output_tokens: 2 }
    const about = { item_id: item.id, content_index: 0, transcript: 'two words' }
    this.billed.push({ ...this.#conversation.nothing, audio_in: audio_tokens, text_out: 2 })
    this.#say('conversation.item.input_audio_transcription.completed', {
      ...about,
      usage: { ...report, input_token_details },
    })
  }

  #added = (item: Item) => this.#say('conversation.item.added', { item: { id: item.id, object: 'realtime.item' } })

  async #respond(prompt: ModelUsage, isApart: boolean) {
    const { words = 0, tenths = 0, created, start, report } = this.answer()
    const turn = { usage: { ...prompt }, isApart }
    this.#turns.add(turn)
    const response_id = `resp_${++this.#count}`
    const response = { id: response_id, object: 'realtime.response', conversation_id: isApart ? null : 'conv_1' }
    await created
    this.#say('response.created', { response: { ...response, status: 'in_progress', usage: null } })
    await start
    const piece = { response_id, item_id: `item_${response_id}`, output_index: 0, content_index: 0 }
    for (let word = 0; word < words && !this.closed; word++) {
      turn.usage.text_out++
      this.#say('response.output_text.delta', { ...piece, delta: 'word ' })
      await new Promise(setImmediate)
    }
    for (let tenth = 0; tenth < tenths && !this.closed; tenth++) {
      turn.usage.text_out++
      turn.usage.audio_out += 2
      this.#say('response.output_audio_transcript.delta', { ...piece, delta: 'word ' })
      this.#say('response.output_audio.delta', { ...piece, delta: TENTH })
      await new Promise(setImmediate)
    }
    await report
    if (this.closed) return
    this.#turns.delete(turn)
    this.billed.push(turn.usage)
    if (!isApart) this.#conversation.respond(turn.usage)
    this.#say('response.done', { response: { ...response, status: 'completed', usage: reportOf(turn.usage) } })
  }

  #say(type: string, fields: Json) {
    if (!this.closed) this.#socket.send(JSON.stringify({ type, event_id: `event_${++this.#count}`, ...fields }))
  }
}

/** As OpenAI writes it. */
function reportOf({ text_in, audio_in, image_in, cached_text, cached_audio, text_out, audio_out }: ModelUsage) {
  const input_tokens = text_in + audio_in + image_in
  const output_tokens = text_out + audio_out
  return {
    total_tokens: input_tokens + output_tokens,
    input_tokens,
    output_tokens,
    input_token_details: {
      text_tokens: text_in,
      audio_tokens: audio_in,
      image_tokens: image_in,
      cached_tokens: cached_text + cached_audio,
      cached_tokens_details: { text_tokens: cached_text, audio_tokens: cached_audio, image_tokens: 0 },
    },
    output_token_details: { text_tokens: text_out, audio_tokens: audio_out },
  }
}
