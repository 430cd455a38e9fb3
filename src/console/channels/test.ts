/** Tries a channel out: the shortest of questions, with each of its keys, counted as nobody's usage. */
import type { Caller } from '../../contracts/account.ts'
import { LogType } from '../../contracts/log.ts'
import type { Language } from '../../contracts/visit.ts'
import { atomic } from '../../db/atomic.ts'
import { stopwatch } from '../../kit/clock.ts'
import { DialError, dial, readBody } from '../../kit/dial.ts'
import { notFound } from '../../kit/refusal.ts'
import { translator } from '../../locales/index.ts'
import { fitted, providerOf, requestFor } from '../../providers/index.ts'
import { record } from '../logs/service.ts'
import { settingsFor } from './adaptation.ts'
import { masked } from './fit.ts'
import { channelById, type ReadyChannel, upstreamModel } from './ready.ts'
import { redacted } from './redact.ts'
import { noteTest } from './service.ts'

const PATIENCE_MS = 30_000
const ANSWER_BYTES_MAX = 1_048_576
const FALLBACK_MODEL = 'gpt-4o-mini'

export interface Tested {
  ok: boolean
  /** What went wrong, in the tester's language. */
  message: string
  seconds: number
}

/** @throws Refusal 404. Whatever else goes wrong is the answer. */
export async function testChannel(
  id: number,
  asked: string | undefined,
  tester: Caller,
  language: Language,
): Promise<Tested> {
  const channel = await channelById(id)
  if (!channel) throw notFound()
  const model = asked || channel.test_model || channel.models[0] || FALLBACK_MODEL
  const tries = await Promise.all(channel.keys.map(key => tryOut(channel, key, model)))
  const failure = tries.find(one => one.trouble)
  const message = failure ? wordsFor(failure, channel, language) : ''
  const ms = Math.max(1, ...tries.map(one => Math.round(one.ms)))
  await noteTest(id, failure ? undefined : ms)
  await writeLog({ channel, model, tester, language, message, ms })
  return { ok: !failure, message, seconds: ms / 1000 }
}

interface Trouble {
  code: 'unsupported' | 'unreachable' | 'timeout' | 'refused' | 'unreadable'
  status?: number
  said?: string
}

interface Try {
  key: string
  ms: number
  trouble?: Trouble
}

async function tryOut(channel: ReadyChannel, key: string, model: string): Promise<Try> {
  const clock = stopwatch()
  const trouble = await troubleWith(channel, key, model)
  return { key, ms: clock(), trouble }
}

async function troubleWith(channel: ReadyChannel, key: string, model: string): Promise<Trouble | undefined> {
  const calling = { ...channel, key, settings: settingsFor(model, ENOUGH) }
  const asked = chatFor(model)
  const question = requestFor(calling, 'chat', upstreamModel(channel, model), asked)
  const spoken = providerOf(channel.type)?.speaks.chat
  if (!question || !spoken || makesEmbeddings(model)) return { code: 'unsupported' }
  const line = new AbortController()
  try {
    const headers = { ...question.headers, 'accept-encoding': 'identity' }
    const response = await dial({ ...question, headers, proxy: channel.setting.proxy }, line, PATIENCE_MS)
    const bytes = await readBody(response, line, { max_bytes: ANSWER_BYTES_MAX, body_ms: PATIENCE_MS })
    const body = fitted(jsonIn(bytes), spoken, asked)
    const error = spoken.codec.readError(body)
    if (!response.ok || error) return { code: 'refused', status: response.status, said: error?.message }
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

const makesEmbeddings = (model: string) => /embed|bge-|^m3e/i.test(model)

const ENOUGH = 10
const ENOUGH_TO_THINK = 50
const ENOUGH_FOR_GEMINI = 300

/** One word, as few tokens for the answer as each family needs to say anything at all. */
function chatFor(model: string) {
  const messages = [{ role: 'user', content: 'hi' }]
  if (/^(o\d|gpt-5)/.test(model)) return { model, messages, max_completion_tokens: ENOUGH }
  if (model.includes('gemini')) return { model, messages, max_tokens: ENOUGH_FOR_GEMINI }
  const thinks = model.includes('thinking') && !model.includes('claude')
  return { model, messages, max_tokens: thinks ? ENOUGH_TO_THINK : ENOUGH }
}

function wordsFor({ key, trouble }: Try, channel: ReadyChannel, language: Language): string {
  const t = translator(language)
  const { code, status = 0 } = trouble!
  const said = redacted(trouble!.said ?? '', channel)
  const refused = said ? 'channel.test_refused_saying' : 'channel.test_refused'
  const words = t(code === 'refused' ? refused : `channel.test_${code}`, { status, said })
  return channel.keys.length > 1 ? t('channel.test_of_key', { key: masked(key), words }) : words
}

interface Written {
  channel: ReadyChannel
  model: string
  tester: Caller
  language: Language
  message: string
  ms: number
}

/** Under the system's entries: nobody is charged, and no statistic counts it. */
const writeLog = ({ channel, model, tester, language, message, ms }: Written) => {
  const facts = { name: channel.name, seconds: (ms / 1000).toFixed(2), message }
  return atomic(function* (tx) {
    yield* record(tx, {
      user_id: tester.id,
      username: tester.username,
      type: LogType.system,
      channel: channel.id,
      model_name: model,
      use_time: Math.round(ms / 1000),
      content: translator(language)(message ? 'channel.test_failed' : 'channel.test_passed', facts),
    })
  })
}
