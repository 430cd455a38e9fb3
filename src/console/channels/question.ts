/** The shortest of questions, put to a channel with one of its keys: does it answer? */
import type { Json } from '../../codecs/codec.ts'
import { stopwatch } from '../../kit/clock.ts'
import { DialError, dial, readBody } from '../../kit/dial.ts'
import { fitted, inOpenAiWords, type Operation, providerOf, requestIn } from '../../providers/index.ts'
import { settingsFor } from './adaptation.ts'
import { isFatal } from './fatal.ts'
import { type ReadyChannel, upstreamModel } from './ready.ts'

const PATIENCE_MS = 30_000
const ANSWER_BYTES_MAX = 1_048_576
const MOKA = 44

export interface Trouble {
  code: 'unsupported' | 'unreachable' | 'timeout' | 'refused' | 'unreadable'
  status?: number
  said?: string
  /** The key, or the account behind it, is beyond hope. */
  fatal?: boolean
}

export interface Try {
  key: string
  ms: number
  trouble?: Trouble
}

export async function tryOut(channel: ReadyChannel, key: string, model: string): Promise<Try> {
  const clock = stopwatch()
  const trouble = await troubleWith(channel, key, model)
  return { key, ms: clock(), trouble }
}

async function troubleWith(channel: ReadyChannel, key: string, model: string): Promise<Trouble | undefined> {
  const [operation, asked] = questionFor(model, channel.type)
  const calling = { ...channel, key, settings: settingsFor(model, ENOUGH) }
  const offered = providerOf(channel.type)?.speaks[operation]
  if (!offered) return { code: 'unsupported' }
  const spoken = operation === 'chat' ? inOpenAiWords(offered, asked) : offered
  const question = requestIn(spoken, calling, upstreamModel(channel, model), asked)
  const line = new AbortController()
  try {
    const headers = { ...question.headers, 'accept-encoding': 'identity' }
    const response = await dial({ ...question, headers, proxy: channel.setting.proxy }, line, PATIENCE_MS)
    const bytes = await readBody(response, line, { max_bytes: ANSWER_BYTES_MAX, body_ms: PATIENCE_MS })
    const { status } = response
    const body = fitted(jsonIn(bytes), spoken, asked)
    const error = spoken.codec.readError(body, status)
    if (!response.ok || error) {
      return { code: 'refused', status, said: error?.message, fatal: isFatal({ status, error }, channel, asked) }
    }
    return spoken.codec.readAnswer(body) ? undefined : { code: 'unreadable' }
  } catch (error) {
    if (!(error instanceof DialError)) throw error
    return { code: error.trouble === 'timeout' ? 'timeout' : 'unreachable' }
  }
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

const makesEmbeddings = (model: string, type: number) => /embed|bge-|^m3e/i.test(model) || type === MOKA

const ENOUGH = 10
const ENOUGH_TO_THINK = 50
const ENOUGH_FOR_GEMINI = 300

/** One word, as few tokens for the answer as each family needs to say anything at all. */
function questionFor(model: string, type: number): [Operation, Json] {
  if (makesEmbeddings(model, type)) return ['embeddings', { model, input: ['hello world'] }]
  const messages = [{ role: 'user', content: 'hi' }]
  if (/^(o\d|gpt-5)/.test(model)) return ['chat', { model, messages, max_completion_tokens: ENOUGH }]
  if (model.includes('gemini')) return ['chat', { model, messages, max_tokens: ENOUGH_FOR_GEMINI }]
  const thinks = model.includes('thinking') && !model.includes('claude')
  return ['chat', { model, messages, max_tokens: thinks ? ENOUGH_TO_THINK : ENOUGH }]
}
