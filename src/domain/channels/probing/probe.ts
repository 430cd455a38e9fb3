/** Probes a channel with one of its keys: a minimal request of the tested model. */
import { NetworkError, readBody, upstreamFetch } from '../../../net/upstream-fetch.ts'
import { stopwatch } from '../../../process/clock.ts'
import { asOpenAi, buildRequest, pickApi, providerOf, rewriteBody } from '../../../providers/index.ts'
import { parsedOrUndefined } from '../../../pure/json.ts'
import { option } from '../../options/index.ts'
import { modelSettingsFor } from '../config/model-settings.ts'
import { isFatal } from '../health/fatal.ts'
import { type RoutedChannel, upstreamModel } from '../routing/routing-table.ts'
import { PROBE_TOKENS, probeFor } from './probe-models.ts'

/** For the response head, and again for the body. */
const PROBE_TIMEOUT_MS = 30_000
const RESPONSE_BYTES_MAX = 1_048_576

export interface ProbeFailure {
  code: 'unsupported' | 'unreachable' | 'private' | 'timeout' | 'refused' | 'unreadable'
  status?: number
  /** The upstream's error message, or why there is no connection. */
  message?: string
  /** The key, or its account, is permanently refused. */
  fatal?: boolean
}

export interface ProbeResult {
  key: string
  ms: number
  failure?: ProbeFailure
}

export async function probe(channel: RoutedChannel, key: string, model: string): Promise<ProbeResult> {
  const clock = stopwatch()
  const failure = await failureOf(channel, key, model)
  return { key, ms: clock(), failure }
}

async function failureOf(channel: RoutedChannel, key: string, model: string): Promise<ProbeFailure | undefined> {
  const upstream_model = upstreamModel(channel, model)
  const probe = probeFor(model, channel.type)
  const provider = providerOf(channel.type)
  const picked = probe && provider && pickApi(provider, probe.operation, upstream_model)
  if (!picked) return { code: 'unsupported' }
  const body = { model, ...probe.body }
  const config = { ...channel, key, site: option('ServerAddress'), settings: modelSettingsFor(model, PROBE_TOKENS) }
  const api = probe.operation === 'chat' ? asOpenAi(picked, body) : picked
  const request = buildRequest(api, config, upstream_model, body)
  const abort = new AbortController()
  try {
    const headers = { ...request.headers, 'accept-encoding': 'identity' }
    const route = { proxy: channel.setting.proxy, guarded: channel.guarded }
    const response = await upstreamFetch({ ...request, headers, ...route }, abort, PROBE_TIMEOUT_MS)
    const limits = { max_bytes: RESPONSE_BYTES_MAX, body_ms: PROBE_TIMEOUT_MS }
    const { status } = response
    const text = new TextDecoder().decode(await readBody(response, abort, limits))
    const result = rewriteBody(parsedOrUndefined(text), api, body)
    const error = api.format.readError(result, status)
    if (!response.ok || error) {
      return { code: 'refused', status, message: error?.message, fatal: isFatal({ status, error }, channel, body) }
    }
    return api.format.responseFacts(result) ? undefined : { code: 'unreadable' }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const { failure, detail } = error
    if (failure === 'timeout' || failure === 'private') return { code: failure }
    return { code: 'unreachable', message: failure === 'unreachable' ? detail : '' }
  }
}
