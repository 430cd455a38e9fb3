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
  type Target,
  tokenFor,
  usualApi,
} from '../../domain/routing/index.ts'
import { env } from '../../env.ts'
import { joinParts } from '../../formats/openai-embeddings/parts.ts'
import { PacedBody } from '../../net/fast-bodies.ts'
import { mark } from '../../process/marks.ts'
import { semaphore } from '../../process/semaphore.ts'
import { StepRefused, type UpstreamCall } from '../../providers/index.ts'
import type { Awaitable } from '../../pure/awaitable.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'
import { carriesLimit } from '../charging/output-max.ts'
import { UnseenOutput } from '../charging/unseen-output.ts'
import { ClientDisconnected, Fault, UpstreamRejected } from '../errors/fault.ts'
import { upstreamTraceHeaders } from '../watching/traces.ts'
import { learnLimits } from './learn-limits.ts'
import { type CallPlan, planCall, prepareRequest, upstreamCallOf } from './prepare-request.ts'
import { readRejection } from './read-rejection.ts'
import { readWhole, readWholeBody, wholeOf } from './read-whole.ts'
import { startFile } from './start-file.ts'
import { gatherStream, startStream, streamOfWhole } from './start-stream.ts'
import type { UpstreamExchange, UpstreamResponse } from './upstream-response.ts'

/** @throws UpstreamRejected, NetworkError, Fault or ClientDisconnected */
export const send = (call: Call, target: Target): Promise<UpstreamResponse> =>
  withToken(call, target).catch(error => sendElsewhere(error, call, target))

/** A path that the upstream does not have may have another with the same use. */
async function sendElsewhere(error: unknown, call: Call, target: Target): Promise<UpstreamResponse> {
  const { channel, api, key } = target
  const other = isNotFound(error) && usualApi(channel, call, api, key)
  if (!other) throw error
  const response = await withToken(call, { ...target, api: other })
  noteMissing(channel, api)
  return response
}

const hasStatus = (error: unknown, ...statuses: number[]) =>
  error instanceof UpstreamRejected && statuses.includes(error.rejection.status)

const isNotFound = (error: unknown) => hasStatus(error, 404, 405, 410)

function withToken(call: Call, target: Target): Promise<UpstreamResponse> {
  const { channel, key } = target
  const config = upstreamCallOf(channel, key, call)
  const token = earnedToken(call, target, config)
  if (token === undefined) return exchange(call, target, config)
  return withEarnedToken(call, target, { config, earned: token })
}

/** A token that the upstream refuses may have ended before its time: the call is repeated once with another. */
async function withEarnedToken(
  call: Call,
  target: Target,
  { config, earned }: { config: UpstreamCall; earned: Awaitable<string | undefined> },
): Promise<UpstreamResponse> {
  const { api } = target
  const token = await earned
  if (token === undefined) return exchange(call, target, config)
  try {
    return await exchange(call, target, { ...config, token })
  } catch (error) {
    if (!hasStatus(error, 401) || call.departure.hasLeft) throw error
    dropToken(api.provider!, config, token)
    return exchange(call, target, { ...config, token: await earnedToken(call, target, config) })
  }
}

/** @throws UpstreamRejected when the key is refused, ClientDisconnected */
function earnedToken(
  { departure }: Call,
  { channel, api }: Target,
  config: UpstreamCall,
): Awaitable<string | undefined> {
  try {
    const token = tokenFor(api.provider!, config, routeOfChannel(channel))
    return token instanceof Promise ? departure.meanwhile(() => token).catch(asRejection) : token
  } catch (error) {
    return asRejection(error)
  }
}

function asRejection(error: unknown): never {
  if (!(error instanceof CredentialRefused)) throw error
  throw new UpstreamRejected({ status: error.error.status, error: error.error })
}

async function exchange(call: Call, target: Target, config: UpstreamCall): Promise<UpstreamResponse> {
  const { channel } = target
  if (call.hold.sends_limit && !carriesLimit(target)) throw unlimited()
  const planned = planCall(call, target)
  const plan = planned instanceof Promise ? await planned : planned
  const { api, bodies, model, toStream } = plan
  const abort = new AbortController()
  call.departure.prepare(abort)
  const sender = { provider: api.provider!, config, route: routeOfChannel(channel), abort }
  const attempt: StartedAttempt = { call, channel, plan, sender, thinking: UnseenOutput.ofThinking(call, model) }
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
    if (!(error instanceof StepRefused)) throw error
    throw new UpstreamRejected({ status: error.error.status, error: error.error })
  }
}

/** Another key, or another API of the channel, has another format than what is held was decided for. */
const unlimited = () => new Fault({ status: 503, code: 'relay.channel_unfit', retry: true })

interface StartedAttempt {
  call: Call
  channel: RoutedChannel
  plan: CallPlan
  sender: Sender & { config: UpstreamCall }
  thinking: UnseenOutput | undefined
}

/** Sends one body and waits for the head of the response. */
async function start({ call, channel, plan, sender, thinking }: StartedAttempt, body: Json): Promise<UpstreamExchange> {
  const { api, model } = plan
  const { abort, config, route } = sender
  const prepared = prepareRequest(call, plan, body, config, sender)
  const request = prepared instanceof Promise ? await prepared : prepared
  const passesAsItComes = (call.facts.stream && !plan.toStream) || call.facts.is_file
  const pace = passesAsItComes ? new PacedBody(call.user_id) : undefined
  if (pace) abort.signal.addEventListener('abort', pace.end)
  const turn = pace?.ask()
  if (turn) await turn
  mark('write request')
  call.trace?.addressed('POST', request.url)
  const joining = upstreamTraceHeaders(call.trace)
  const traced = joining ? { ...request, headers: { ...request.headers, ...joining } } : request
  const response = await sendRequest(api, traced, route, {
    abort,
    head_ms: api.head_ms ?? env.UPSTREAM_TIMEOUT * 1000,
    onSend() {
      call.attempts.reached('sent')
      call.departure.watch({ abort, ...readOn({ call, channel, plan, thinking }) })
    },
  })
  call.attempts.reached('headers')
  mark('upstream')
  const started = {
    call,
    channel,
    model,
    api,
    response,
    abort,
    thinking,
    pace,
    sender: { ...sender, url: request.url },
  }
  learnLimits(response.headers, { channel, key: config.key, model: call.facts.model })
  if (!response.ok) throw new UpstreamRejected(await readRejection(started))
  return started
}

/** What is produced for a client that has left: the report of it is waited for. */
function readOn({ call, channel, plan, thinking }: Pick<StartedAttempt, 'call' | 'channel' | 'plan' | 'thinking'>) {
  const { facts, endpoint } = call
  const cancels = channel.setting.cancel_on_leave === true
  const isWhole = plan.toStream !== undefined || !(facts.stream || plan.isGathered)
  return {
    format: plan.api.format,
    // A file is priced by its request, unless it comes in a body that reports more.
    cancels: cancels || (facts.is_file === true && !plan.api.unwrapFile),
    // The report of images follows the last of them, which is larger than any text.
    max_bytes: endpoint.operation.startsWith('image') ? EVENT_MAX_BYTES : SETTLE_AFTER_LEAVE_BYTES,
    unseen: thinking ?? (isWhole && !cancels ? UnseenOutput.ofWhole(call) : undefined),
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
  const responses = await Promise.all(plan.bodies.map(body => limited(() => ask(body).catch(unlessLeft))))
  const answered = responses.filter(response => response !== undefined)
  if (!answered.length) throw new ClientDisconnected()
  return wholeOf(last!, { body: joinParts(answered) })
}

/** Parts that are not sent yet when the client leaves are not sent at all; the others are billed. */
function unlessLeft(error: unknown): undefined {
  if (!(error instanceof ClientDisconnected) || error.was_sent) throw error
}
