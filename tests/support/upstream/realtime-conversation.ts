/** The conversation of a realtime session as an upstream keeps it: items, sound and prompts, each counted. */

type Json = Record<string, any>

export interface ModelUsage {
  text_in: number
  audio_in: number
  image_in: number
  /** Parts of the above that were in the cache. */
  cached_text: number
  cached_audio: number
  text_out: number
  audio_out: number
}

export interface Item {
  id: string
  usage: ModelUsage
}

const nothing: ModelUsage = {
  ...{ text_in: 0, audio_in: 0, image_in: 0, cached_text: 0, cached_audio: 0 },
  ...{ text_out: 0, audio_out: 0 },
}

const BYTES_PER_SECOND = 48_000
const TOKENS_PER_SECOND = 10
const PICTURE_TOKENS = 765
const CACHE_STEP = 64

const contentOf: Record<string, string[]> = {
  user: ['input_text', 'input_audio', 'input_image'],
  system: ['input_text'],
  assistant: ['output_text', 'output_audio'],
}

interface Detected {
  type: 'speech_started' | 'speech_stopped'
  ms: number
  item?: Item
}

export class Conversation {
  readonly nothing = nothing
  session: Json = {
    ...{ type: 'realtime', object: 'realtime.session', instructions: '' },
    audio: {
      input: { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: null, transcription: null },
      output: { format: { type: 'audio/pcm', rate: 24_000 } },
    },
  }
  readonly #items: Item[] = []
  #buffer: Buffer[] = []
  #heard_ms = 0
  #speech_from_ms: number | undefined
  #last_prompt = nothing

  update({ audio, ...changes }: Json): Json {
    const input = { ...this.session.audio.input, ...audio?.input }
    this.session = { ...this.session, ...changes, audio: { ...this.session.audio, input } }
    return this.session
  }

  add(item: Json): Item {
    const added = { id: item.id ?? `item_${this.#items.length}`, usage: usageOf(item) }
    this.#items.push(added)
    return added
  }

  /** Zeros are silence. @returns the speech that begins or ends, where it is detected */
  hear(audio: unknown): Detected[] {
    const bytes = soundIn(audio)
    const from_ms = this.#heard_ms
    this.#heard_ms += (bytes.length / BYTES_PER_SECOND) * 1000
    this.#buffer.push(bytes)
    if (!this.session.audio.input.turn_detection) return []
    const isSilent = bytes.every(byte => byte === 0)
    if (!isSilent && this.#speech_from_ms === undefined) {
      this.#speech_from_ms = from_ms
      return [{ type: 'speech_started', ms: from_ms }]
    }
    if (!isSilent || this.#speech_from_ms === undefined) return []
    const seconds = (from_ms - this.#speech_from_ms) / 1000
    this.#speech_from_ms = undefined
    this.#buffer = []
    return [{ type: 'speech_stopped', ms: from_ms, item: this.#addSound(seconds) }]
  }

  commit(): Item {
    const size = this.#buffer.reduce((sum, { length }) => sum + length, 0)
    if (size < BYTES_PER_SECOND / 10) throw new Error('buffer too small')
    this.#buffer = []
    return this.#addSound(size / BYTES_PER_SECOND)
  }

  #addSound(seconds: number): Item {
    const item = { id: `item_${this.#items.length}`, usage: { ...nothing, audio_in: seconds * TOKENS_PER_SECOND } }
    this.#items.push(item)
    return item
  }

  prompt({ input, instructions = this.session.instructions, conversation }: Json): ModelUsage {
    const parts = input ? input.map((item: Json) => this.#inputOf(item)) : this.#items.map(({ usage }) => usage)
    const prompt = parts.reduce(sum, { ...nothing, text_in: words(instructions) })
    if (conversation === 'none' || input) return prompt
    const last = this.#last_prompt
    this.#last_prompt = prompt
    const cached = (kind: 'text_in' | 'audio_in') =>
      Math.min(prompt[kind], Math.floor(last[kind] / CACHE_STEP) * CACHE_STEP)
    return { ...prompt, cached_text: cached('text_in'), cached_audio: cached('audio_in') }
  }

  #inputOf(item: Json): ModelUsage {
    if (item.type !== 'item_reference') return usageOf(item)
    const found = this.#items.find(({ id }) => id === item.id)
    if (!found) throw new Error(`no item ${item.id}`)
    return found.usage
  }

  respond({ text_out, audio_out }: ModelUsage) {
    const usage = { ...nothing, text_in: text_out, audio_in: audio_out }
    this.#items.push({ id: `item_${this.#items.length}`, usage })
  }
}

export function sum(one: ModelUsage, other: ModelUsage): ModelUsage {
  const total = { ...one }
  for (const kind of Object.keys(total) as (keyof ModelUsage)[]) total[kind] += other[kind]
  return total
}

/** @throws for an item that OpenAI refuses */
function usageOf({ type, role, content, call_id, name, arguments: args, output }: Json): ModelUsage {
  if (type === 'function_call') return { ...nothing, text_in: words(name) + words(args) }
  if (type === 'function_call_output') {
    if (typeof call_id !== 'string') throw new Error('call_id is missing')
    return { ...nothing, text_in: words(output) }
  }
  if (type !== 'message' || !contentOf[role]) throw new Error(`unknown item ${type}`)
  return content.map((part: Json) => partUsage(part, role)).reduce(sum, nothing)
}

function partUsage({ type, text, audio, transcript, image_url }: Json, role: string): ModelUsage {
  if (!contentOf[role]!.includes(type)) throw new Error(`${role} has no ${type}`)
  if (type === 'input_image') {
    if (!/^(data:image\/\w+;base64,|https:)/.test(image_url)) throw new Error('image_url is wrong')
    return { ...nothing, image_in: PICTURE_TOKENS }
  }
  if (!type.endsWith('_audio')) return { ...nothing, text_in: words(text) }
  const audio_in = audio === undefined ? 0 : (soundIn(audio).length / BYTES_PER_SECOND) * TOKENS_PER_SECOND
  return { ...nothing, audio_in, text_in: transcript === undefined ? 0 : words(transcript) }
}

function soundIn(base64: unknown): Buffer {
  const bytes = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : Buffer.alloc(0)
  if (!bytes.length || bytes.length % 2 || bytes.toString('base64') !== base64) throw new Error('audio is wrong')
  return bytes
}

function words(text: unknown): number {
  if (typeof text !== 'string') throw new Error('text is missing')
  return text.split(/\s+/).filter(Boolean).length
}
