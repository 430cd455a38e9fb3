/** One attempt on one target: sends the request and waits until its response is known to be usable. */

import { EVENT_MAX_BYTES, SETTLE_AFTER_LEAVE_BYTES } from '../../contracts/relay.ts'
import {
  CredentialRefused,
  dropToken,
  noteMissing,
  type RoutedChannel,
  routeOfChannel,
  type Sender,
  sendRequest,
  tokenFor,
  usualApi,
} from '../../domain/channels/index.ts'
import { env } from '../../env.ts'
import { joinParts } from '../../formats/openai-embeddings/parts.ts'
import { semaphore } from '../../process/semaphore.ts'
import { StepRefused, type UpstreamApi, type UpstreamCall } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call, Target } from '../call.ts'
import { HiddenThinking } from '../charging/hidden-thinking.ts'
import { ClientDisconnected, UpstreamRejected } from '../errors/fault.ts'
import { type PlannedCall, planCall, prepareRequest, upstreamCallOf } from './prepare-request.ts'
import { readRejection } from './read-rejection.ts'
import { readWhole, readWholeBody, wholeOf } from './read-whole.ts'
import { startFile } from './start-file.ts'
import { gatherStream, startStream, streamOfWhole } from './start-stream.ts'
import type { UpstreamExchange, UpstreamResponse } from './upstream-response.ts'

/** @throws UpstreamRejected, NetworkError, Fault or ClientDisconnected */
export async function send(call: Call, target: Target): Promise<UpstreamResponse> {
  try {
    return await withToken(call, target)
  } catch (error) {
    const { channel, api, key } = target
    const other = isNotFound(error) && usualApi(channel, call, api, key)
    if (!other) throw error
    const response = await withToken(call, { ...target, api: other })
    noteMissing(channel, api)
    return response
  }
}

const hasStatus = (error: unknown, ...statuses: number[]) =>
  error instanceof UpstreamRejected && statuses.includes(error.rejection.status)

const isNotFound = (error: unknown) => hasStatus(error, 404, 405, 410)

/** A token that the upstream refuses may have ended before its time: the call is repeated once with another. */
async function withToken(call: Call, target: Target): Promise<UpstreamResponse> {
  const { channel, key, api } = target
  const config = upstreamCallOf(channel, key, call)
  const token = await earnedToken(target, config)
  if (token === undefined) return exchange(call, target, config)
  try {
    return await exchange(call, target, { ...config, token })
  } catch (error) {
    if (!hasStatus(error, 401) || call.departure.hasLeft) throw error
    dropToken(api.provider!, config, token)
    return exchange(call, target, { ...config, token: await earnedToken(target, config) })
  }
}

async function earnedToken({ channel, api }: Target, config: UpstreamCall): Promise<string | undefined> {
  try {
    return await tokenFor(api.provider!, config, routeOfChannel(channel))
  } catch (error) {
    if (!(error instanceof CredentialRefused)) throw error
    throw new UpstreamRejected({ status: error.error.status, error: error.error })
  }
}

async function exchange(call: Call, target: Target, config: UpstreamCall): Promise<UpstreamResponse> {
  const { channel } = target
  const plan = await planCall(call, target)
  if (call.departure.hasLeft) throw new ClientDisconnected()
  const { api, bodies, model, toStream } = plan
  const abort = new AbortController()
  const sender = { provider: api.provider!, config, route: routeOfChannel(channel), abort }
  const attempt: StartedAttempt = { call, channel, plan, sender, thinking: HiddenThinking.of(call, model) }
  try {
    if (bodies.length > 1) return await joined(attempt)
    const started = await start(attempt, bodies[0]!)
    if (plan.isGathered) return await gatherStream(started)
    if (call.facts.is_file) return await startFile(started)
    if (!call.facts.stream) return await readWhole(started)
    return await (toStream ? streamOfWhole(started, toStream) : startStream(started))
  } catch (error) {
    // An unreadable response may never end.
    abort.abort(error)
    throw error
  }
}

interface StartedAttempt {
  call: Call
  channel: RoutedChannel
  plan: PlannedCall
  sender: Sender & { config: UpstreamCall }
  thinking: HiddenThinking | undefined
}

/** Sends one body and waits for the head of the response. */
async function start({ call, channel, plan, sender, thinking }: StartedAttempt, body: Json): Promise<UpstreamExchange> {
  const { api, model } = plan
  const { abort, config, route } = sender
  const prepare = () => prepareRequest(call, plan, body, config, sender)
  const request = await (api.before ? whileHere(call, abort, prepare) : prepare())
  if (call.departure.hasLeft) throw new ClientDisconnected()
  call.departure.watch({ abort, thinking, ...readOn(call, api, channel) })
  const response = await sendRequest(api, request, route, abort, env.UPSTREAM_TIMEOUT * 1000)
  const started = { call, channel, model, api, response, abort, thinking, sender: { ...sender, url: request.url } }
  if (!response.ok) throw new UpstreamRejected(await readRejection(started))
  return started
}

/** Nothing is billed of what precedes the request: it ends when the client leaves. */
async function whileHere<T>({ disconnected }: Call, abort: AbortController, work: () => Promise<T>) {
  const onLeave = () => abort.abort(new ClientDisconnected())
  disconnected.addEventListener('abort', onLeave)
  try {
    return await work()
  } catch (error) {
    if (error instanceof StepRefused) throw new UpstreamRejected({ status: error.error.status, error: error.error })
    throw error
  } finally {
    disconnected.removeEventListener('abort', onLeave)
  }
}

/** Requests of one call that run at a time. */
const PARTS_CONCURRENCY = 8

/** A list that is too long for one request: the response of its parts, sent side by side. */
async function joined(attempt: StartedAttempt): Promise<UpstreamResponse> {
  const { plan, sender } = attempt
  const limited = semaphore(PARTS_CONCURRENCY)
  let last: UpstreamExchange | undefined
  const ask = async (body: Json) => {
    sender.abort.signal.throwIfAborted()
    last = await start(attempt, body)
    return (await readWholeBody(last)).body as Json
  }
  const responses = await Promise.all(plan.bodies.map(body => limited(() => ask(body))))
  return wholeOf(last!, { body: joinParts(responses) })
}

/**
 * A file is priced by its request. The report of images follows the last of them, which is larger than any text.
 * Sockets and jobs end with the call.
 */
const readOn = ({ facts, endpoint }: Call, { socket, after, before }: UpstreamApi, { setting }: RoutedChannel) => ({
  cancels: setting.cancel_on_leave === true || facts.is_file === true || Boolean(socket ?? after ?? before),
  max_bytes: endpoint.operation.startsWith('image') ? EVENT_MAX_BYTES : SETTLE_AFTER_LEAVE_BYTES,
})
