/** The shortest of questions, put to a channel with one of its keys: does it answer? */

import { DialError, dial, readBody } from '../../../net/upstream-fetch.ts'
import { stopwatch } from '../../../process/clock.ts'
import { fitted, inOpenAiWords, providerOf, requestIn, spokenFor } from '../../../providers/index.ts'
import { option } from '../../options/index.ts'
import { settingsFor } from '../config/model-settings.ts'
import { isFatal } from '../health/fatal.ts'
import { type ReadyChannel, upstreamModel } from '../routing/routing-table.ts'
import { ENOUGH, probeFor } from './probe-models.ts'

const PATIENCE_MS = 30_000
const ANSWER_BYTES_MAX = 1_048_576

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
  const named = upstreamModel(channel, model)
  const probe = probeFor(model, channel.type)
  const provider = providerOf(channel.type)
  const offered = probe && provider && spokenFor(provider, probe.operation, named)
  if (!offered) return { code: 'unsupported' }
  const asked = { model, ...probe.says }
  const calling = { ...channel, key, site: option('ServerAddress'), settings: settingsFor(model, ENOUGH) }
  const spoken = probe.operation === 'chat' ? inOpenAiWords(offered, asked) : offered
  const question = requestIn(spoken, calling, named, asked)
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
