/** Probes a channel with one of its keys: a minimal request of the tested model. */
import type { ApiError } from '../../../formats/canonical/chat.ts'
import { isTaskKind, kindOf } from '../../../models/kinds.ts'
import { eventsOfWhole } from '../../../net/framed.ts'
import { readBody } from '../../../net/upstream-fetch.ts'
import { stopwatch } from '../../../process/clock.ts'
import {
  asOpenAi,
  buildRequest,
  type PassedApi,
  passedApi,
  pickApi,
  providerOf,
  rewriteBody,
  type UpstreamApi,
  type UpstreamCall,
} from '../../../providers/index.ts'
import { type Json, parsedOrUndefined, parseObject } from '../../../pure/json.ts'
import {
  configOf,
  dropToken,
  isFatal,
  modelSettingsFor,
  type RoutedChannel,
  routeOfChannel,
  sendRequest,
  tasksApiOf,
  tokenFor,
  upstreamModel,
} from '../../routing/index.ts'
import { failureOfThrown, type ProbeFailure } from './probe-failure.ts'
import { PROBE_TOKENS, probeFor } from './probe-models.ts'
import { probeTasks } from './probe-tasks.ts'

/** For the response head, and again for the body. */
const PROBE_TIMEOUT_MS = 30_000
const RESPONSE_BYTES_MAX = 1_048_576

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
  const config = { ...configOf(channel, key), settings: modelSettingsFor(model, PROBE_TOKENS) }
  const picked = probe && provider && pickApi(provider, { operation: probe.operation, model: upstream_model, config })
  const isOfTasks = probe !== undefined || isTaskKind(kindOf(model))
  if (!picked) return isOfTasks && tasksApiOf(channel) ? probeTasks(channel, key) : { code: 'unsupported' }
  const isStreamed = picked.streams_only?.(upstream_model, probe.body) ?? false
  const body = { model, ...probe.body, ...(isStreamed && { stream: true }) }
  const api = probe.operation === 'chat' ? asOpenAi(picked, body) : passedApi(picked)
  const attempt = async () => {
    const { token, status, type, bytes } = await ask(channel, api, config, upstream_model, body)
    const ended = isStreamed && status < 400 ? readStream(api, type, bytes) : readWhole(api, body, status, bytes)
    return { token, status, ended }
  }
  try {
    let { token, status, ended } = await attempt()
    // A refused token may have ended before its time, as in calls.
    if (token !== undefined && (ended.error?.status ?? status) === 401) {
      dropToken(api.provider!, config, token)
      ;({ status, ended } = await attempt())
    }
    if (ended.error || status >= 400) {
      const { error } = ended
      return { code: 'refused', status, message: error?.message, fatal: isFatal({ status, error }, channel, body) }
    }
    // The upstream has begun a job: calls wait for its end, a test need not.
    const isBegun = status === 202 && picked.after !== undefined
    return ended.isUsable || isBegun ? undefined : { code: 'unreadable' }
  } catch (error) {
    return failureOfThrown(error, channel, body)
  }
}

/** The request of the probe as calls send it, and the whole response. @throws NetworkError or CredentialRefused */
async function ask(channel: RoutedChannel, api: PassedApi, config: UpstreamCall, model: string, body: Json) {
  const abort = new AbortController()
  const route = routeOfChannel(channel)
  const token = await tokenFor(api.provider!, config, route)
  const request = buildRequest(api, { ...config, token }, model, body)
  const headers = { ...request.headers, 'accept-encoding': 'identity' }
  const response = await sendRequest(api, { ...request, headers }, route, { abort, head_ms: PROBE_TIMEOUT_MS })
  const limits = { max_bytes: RESPONSE_BYTES_MAX, body_ms: PROBE_TIMEOUT_MS }
  const type = response.headers.get('content-type') ?? ''
  return { token, status: response.status, type, bytes: await readBody(response, abort, limits) }
}

interface ProbeReading {
  error?: ApiError
  isUsable: boolean
}

function readWhole(api: PassedApi, body: Json, status: number, bytes: Uint8Array): ProbeReading {
  const result = rewriteBody(parsedOrUndefined(new TextDecoder().decode(bytes)), api, body)
  const error = api.format.readError(result, status)
  return { error, isUsable: !error && api.format.responseFacts(result) !== undefined }
}

function readStream(api: PassedApi, type: string, bytes: Uint8Array<ArrayBuffer>): ProbeReading {
  const reader = api.format.streamReader({ keep_text: false })
  const kinds = eventsOfWhole(bytes, { ...api, type }).map(data => reader.read(rewriteData(data, api)))
  return { error: reader.error, isUsable: kinds.length > 0 && !kinds.includes('broken') }
}

function rewriteData(data: string, { rewriteEvent }: UpstreamApi): string {
  const event = rewriteEvent && parseObject(data)
  return event ? JSON.stringify(rewriteEvent(event) ?? {}) : data
}
