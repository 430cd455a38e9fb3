/** The shortest of questions, put to a channel with one of its keys: does it answer? */

import { NetworkError, readBody, upstreamFetch } from '../../../net/upstream-fetch.ts'
import { stopwatch } from '../../../process/clock.ts'
import { asOpenAi, buildRequest, pickApi, providerOf, rewriteBody } from '../../../providers/index.ts'
import { option } from '../../options/index.ts'
import { modelSettingsFor } from '../config/model-settings.ts'
import { isFatal } from '../health/fatal.ts'
import { type RoutedChannel, upstreamModel } from '../routing/routing-table.ts'
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

export async function probe(channel: RoutedChannel, key: string, model: string): Promise<Try> {
  const clock = stopwatch()
  const trouble = await troubleWith(channel, key, model)
  return { key, ms: clock(), trouble }
}

async function troubleWith(channel: RoutedChannel, key: string, model: string): Promise<Trouble | undefined> {
  const named = upstreamModel(channel, model)
  const probe = probeFor(model, channel.type)
  const provider = providerOf(channel.type)
  const offered = probe && provider && pickApi(provider, probe.operation, named)
  if (!offered) return { code: 'unsupported' }
  const asked = { model, ...probe.says }
  const calling = { ...channel, key, site: option('ServerAddress'), settings: modelSettingsFor(model, ENOUGH) }
  const spoken = probe.operation === 'chat' ? asOpenAi(offered, asked) : offered
  const question = buildRequest(spoken, calling, named, asked)
  const line = new AbortController()
  try {
    const headers = { ...question.headers, 'accept-encoding': 'identity' }
    const response = await upstreamFetch({ ...question, headers, proxy: channel.setting.proxy }, line, PATIENCE_MS)
    const bytes = await readBody(response, line, { max_bytes: ANSWER_BYTES_MAX, body_ms: PATIENCE_MS })
    const { status } = response
    const body = rewriteBody(jsonIn(bytes), spoken, asked)
    const error = spoken.format.readError(body, status)
    if (!response.ok || error) {
      return { code: 'refused', status, said: error?.message, fatal: isFatal({ status, error }, channel, asked) }
    }
    return spoken.format.responseFacts(body) ? undefined : { code: 'unreadable' }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { code: error.failure === 'timeout' ? 'timeout' : 'unreachable' }
  }
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
