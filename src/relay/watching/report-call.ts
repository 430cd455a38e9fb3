/** Reports the end of each call to the metrics and to the access log, once. */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { Refusal } from '../../contracts/refusal.ts'
import type { EndReason } from '../../contracts/relay.ts'
import type { RoutedChannel } from '../../domain/routing/index.ts'
import { countLimited } from '../../web/limited.ts'
import { addressOf, idOf } from '../../web/request.ts'
import type { BillableCall } from '../call.ts'
import type { BilledUsage } from '../charging/settle.ts'
import type { RelayContext } from '../endpoint.ts'
import { statusOf } from '../errors/explain.ts'
import { Fault } from '../errors/fault.ts'
import { isSampled, writeAccess } from './access-log.ts'
import { type CallTimes, countCall, countRefused } from './call-metrics.ts'
import { answerAttributes, type TracedAnswer } from './trace-attributes.ts'
import { write } from './trace-names.ts'

/** A stream that ends early has sent status 200 before: it counts as what a whole response would have had. */
const statusOfEnd: Record<EndReason, number> = {
  finished: 200,
  abandoned: 499,
  broken: 502,
  exhausted: 403,
  stopped: 503,
}

type Bill = Pick<BilledUsage, 'usage' | 'quota'>

const tokensOf = ({ usage, quota }: Bill) => ({
  prompt_tokens: promptTokens(usage),
  completion_tokens: completionTokens(usage),
  quota,
})

interface ServedCall {
  channel: RoutedChannel
  first_ms: number
  reason: EndReason
  /** Its length is in the access log. A session has messages, and the body of a task is written by its platform. */
  has_body: boolean
  /** For spans. */
  answered: TracedAnswer
}

type ReportedCall = Pick<BillableCall, 'call' | 'caller'>

/** The upstream's times now. @returns a function that adds the total, once the bill is durable */
export function upstreamTimes({ call: { attempts, elapsed } }: ReportedCall) {
  const upstream_ms = attempts.lastElapsed()
  return (first_ms?: number): CallTimes => ({
    total_ms: elapsed(),
    upstream_ms,
    failed_ms: attempts.before_ms,
    first_ms,
  })
}

/** A call that an upstream has answered. */
export function reportServed(reported: ReportedCall, bill: Bill, served: ServedCall, times: CallTimes) {
  const { channel, reason } = served
  const { call } = reported
  countCall(kindOf(reported, channel.id, statusOfEnd[reason]), times, bill)
  if (call.trace) traceEnd(reported, bill, reason, { answered: served.answered, first_ms: times.first_ms })
  if (!isSampled()) return
  const entry = { ...entryOf(reported, times), ...tokensOf(bill), first_ms: Math.round(served.first_ms), end: reason }
  if (!served.has_body) writeAccess(entry)
  else if (call.departure.hasLeft) writeAccess({ ...entry, bytes: call.connection.written_bytes })
  else call.connection.afterBody(bytes => writeAccess({ ...entry, bytes }))
}

/** Errors of calls that are reported already. */
const reportedErrors = new WeakSet<object>()

/** A call that no upstream has answered. @param billed the prompt, of a client that has left an upstream at work */
export function reportFailed(reported: ReportedCall, error: unknown, billed?: Bill) {
  if (error instanceof Error) reportedErrors.add(error)
  const times = upstreamTimes(reported)()
  const status = statusOf(error)
  countCall(kindOf(reported, reported.call.attempts.last?.channel, status), times, billed)
  if (reported.call.trace) traceEnd(reported, billed, 'failed', { error_type: errorType(error) })
  if (!isSampled()) return
  const entry = { ...entryOf(reported, times), ...(billed && tokensOf(billed)) }
  writeAccess({ ...entry, status, end: 'failed', reason: codeOf(error) })
}

/** A request that is refused before it is a call. @param status of the response */
export function reportRefused({ request, server, route, trace }: RelayContext, error: unknown, status: number) {
  countLimited(error)
  trace?.responded(status, errorType(error))
  if (!route.operation || (error instanceof Error && reportedErrors.has(error))) return
  countRefused(route.operation, status)
  if (!isSampled()) return
  const address = addressOf(request, server)
  writeAccess({
    request_id: idOf(request),
    address,
    operation: route.operation,
    status,
    end: 'refused',
    reason: codeOf(error),
  })
}

/** Of a call that an upstream has answered, or not. */
function traceEnd(
  { call }: ReportedCall,
  bill: Bill | undefined,
  reason: EndReason | 'failed',
  { error_type, ...answer }: { error_type?: string; answered?: TracedAnswer; first_ms?: number },
) {
  const trace = call.trace!
  const ofModel = answerAttributes(trace, { usage: bill?.usage, ...answer })
  const channel = write.channel(call.attempts.last?.channel)
  const ofCall = `${channel}${write.quota(bill?.quota ?? 0)}${write.reason(reason)}`
  trace.reported(ofModel, ofCall, error_type ?? (reason === 'finished' ? undefined : reason))
}

/** The code of an error of ours, and the name of any other. */
export const errorType = (error: unknown): string =>
  codeOf(error) ?? (error instanceof Error ? error.constructor.name : 'error')

const codeOf = (error: unknown) => (error instanceof Refusal || error instanceof Fault ? error.code : undefined)

function kindOf({ call, caller }: ReportedCall, channel: number | undefined, status: number) {
  const { endpoint, attempts, facts } = call
  return {
    operation: endpoint.operation,
    channel,
    channel_type: attempts.channel_type,
    model: facts.model,
    group: caller.group,
    status,
    streamed: facts.stream,
  }
}

/** Fields are built one by one: neither keys nor content stand among them. */
function entryOf({ call, caller }: ReportedCall, { total_ms, upstream_ms, failed_ms }: CallTimes) {
  const { attempts, endpoint, facts, request_id } = call
  return {
    request_id,
    address: caller.address,
    user: caller.user.id,
    token: caller.token.id,
    operation: endpoint.operation,
    model: facts.model,
    channel: attempts.last?.channel,
    attempts: attempts.all.length,
    upstream_ms: Math.round(attempts.all.length ? upstream_ms + failed_ms : 0),
    total_ms: Math.round(total_ms),
  }
}
