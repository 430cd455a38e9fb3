/** One attempt on one target: sends the request and waits until its response is known to be usable. */

import { EVENT_MAX_BYTES, SETTLE_AFTER_LEAVE_BYTES } from '../../contracts/relay.ts'
import { apiWithoutAnthropic, noteNoAnthropicApi } from '../../domain/channels/index.ts'
import { env } from '../../env.ts'
import { upstreamFetch } from '../../net/upstream-fetch.ts'
import type { Call, Target } from '../call.ts'
import { HiddenThinking } from '../charging/hidden-thinking.ts'
import { ClientDisconnected, UpstreamRejected } from '../errors/fault.ts'
import { prepareRequest } from './prepare-request.ts'
import { readRejection } from './read-rejection.ts'
import { readWhole } from './read-whole.ts'
import { startFile } from './start-file.ts'
import { startStream, streamOfWhole } from './start-stream.ts'
import type { UpstreamExchange, UpstreamResponse } from './upstream-response.ts'

/** @throws UpstreamRejected, NetworkError, Fault or ClientDisconnected */
export async function send(call: Call, target: Target): Promise<UpstreamResponse> {
  try {
    return await exchange(call, target)
  } catch (error) {
    const api = isNotFound(error) && apiWithoutAnthropic(target.channel, call, target.api)
    if (!api) throw error
    const response = await exchange(call, { ...target, api })
    noteNoAnthropicApi(target.channel)
    return response
  }
}

const isNotFound = (error: unknown) =>
  error instanceof UpstreamRejected && [404, 405, 410].includes(error.rejection.status)

async function exchange(call: Call, target: Target): Promise<UpstreamResponse> {
  const { channel } = target
  const { url, headers, body, model, api, toStream } = await prepareRequest(call, target)
  if (call.departure.hasLeft) throw new ClientDisconnected()
  const abort = new AbortController()
  const { guarded, setting } = channel
  const { proxy, cancel_on_leave = false } = setting
  const thinking = HiddenThinking.of(call, model)
  call.departure.watch({ abort, thinking, ...readOn(call, cancel_on_leave) })
  const request = { url, headers, body, proxy, guarded }
  const response = await upstreamFetch(request, abort, env.UPSTREAM_TIMEOUT * 1000)
  const started: UpstreamExchange = { call, channel, model, api, response, abort, thinking }
  if (!response.ok) throw new UpstreamRejected(await readRejection(started))
  if (call.facts.is_file) return startFile(started)
  if (!call.facts.stream) return readWhole(started)
  return toStream ? streamOfWhole(started, toStream) : startStream(started)
}

/** A file is priced by its request. The report of images follows the last of them, which is larger than any text. */
const readOn = ({ facts, endpoint }: Call, cancels: boolean) => ({
  cancels: cancels || facts.is_file === true,
  max_bytes: endpoint.operation.startsWith('image') ? EVENT_MAX_BYTES : SETTLE_AFTER_LEAVE_BYTES,
})
