/** Reads a whole response. */

import { RESPONSE_MAX_BYTES } from '../../contracts/relay.ts'
import { carryOut } from '../../domain/routing/index.ts'
import { env } from '../../env.ts'
import { isObject } from '../../formats/json/checks.ts'
import { readBody } from '../../net/upstream-fetch.ts'
import { rewriteBody, type UpstreamApi } from '../../providers/index.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { type Json, parseObject } from '../../pure/json.ts'
import { unusableResponse } from '../errors/classify-error.ts'
import { UpstreamRejected } from '../errors/fault.ts'
import { typeOf } from './read-rejection.ts'
import { FILE_FACTS, responseBase, type UpstreamExchange, type WholeResponse } from './upstream-response.ts'

export const readWhole = (exchange: UpstreamExchange): Promise<WholeResponse> =>
  readWholeBody(exchange).then(body => wholeOf(exchange, body))

interface WholeBody {
  body: unknown
  /** The bytes of `parsed`, which pass to the client when nothing has changed it. */
  received?: Uint8Array<ArrayBuffer>
  parsed?: unknown
}

export function wholeOf(exchange: UpstreamExchange, { received, parsed, body }: WholeBody): WholeResponse {
  const { call, api } = exchange
  const base = responseBase(exchange)
  const file = isObject(body) && api.unwrapFile?.(body, call.body)
  if (file) return { ...base, bytes: file.bytes, type: file.type, facts: { ...FILE_FACTS, usage_report: file.report } }
  const facts = api.format.responseFacts(body)
  if (!facts) throw unusableResponse()
  const { rewritten = body } = facts
  const isText = typeof rewritten === 'string'
  const bytes =
    received && rewritten === parsed ? received : Buffer.from(isText ? rewritten : JSON.stringify(rewritten))
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json'
  return { ...base, bytes, type, facts }
}

/** @throws UpstreamRejected for an error inside a 200 */
export const readWholeBody = (exchange: UpstreamExchange): Promise<WholeBody> =>
  readFirstBody(exchange).then(first => completeBody(exchange, first))

/** A body as it came, before the requests that follow it. */
type FirstBody = Pick<WholeBody, 'received' | 'parsed'>

export async function readFirstBody({ api, response, abort, pace }: UpstreamExchange): Promise<FirstBody> {
  const body_ms = env.STREAM_IDLE_TIMEOUT * 1000
  const bytes = await readBody(response, abort, { max_bytes: RESPONSE_MAX_BYTES, body_ms })
  pace?.end()
  const wrapped = wrappedFile(bytes, typeOf(response), api)
  return { received: wrapped ? undefined : bytes, parsed: wrapped ?? bodyIn(bytes) }
}

/** @throws UpstreamRejected for an error inside a 200 */
export function completeBody(
  { call, api, sender }: UpstreamExchange,
  { received, parsed }: FirstBody,
): Awaitable<WholeBody> {
  const last = api.after ? carryOut(api.after(parsed, sender.config, call.body), sender) : parsed
  return chain(last, last => {
    const body = rewriteBody(last, api, call.body)
    const error = api.format.readError(body)
    if (error) throw new UpstreamRejected({ status: error.status, error })
    return { received, parsed, body }
  })
}

const wrappedFile = (bytes: Uint8Array, type: string, { wrapFile }: UpstreamApi): Json | undefined =>
  wrapFile && isMedia.test(type) ? wrapFile(bytes, type) : undefined

const isMedia = /^(?:image|audio|video)\//i

function bodyIn(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes)
  return parseObject(text) ?? text
}

const utf8 = new TextDecoder()
