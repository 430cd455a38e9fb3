/** Reads an upstream's error body. */

import { isObject } from '../../formats/json/checks.ts'
import { readErrorBody } from '../../net/upstream-fetch.ts'
import { rewriteBody, type UpstreamApi } from '../../providers/index.ts'
import { parseObject } from '../../pure/json.ts'
import { unusableResponse } from '../errors/classify-error.ts'
import { UpstreamRejected, type UpstreamRejection } from '../errors/fault.ts'
import { hintInHeaders } from '../errors/retry-hint.ts'
import type { UpstreamExchange } from './upstream-response.ts'

export async function readRejection({ call, api, response, abort }: UpstreamExchange): Promise<UpstreamRejection> {
  const text = await readErrorBody(response, abort)
  const body = rewriteBody(withType(parseObject(text), text, response, api), api, call.body)
  const { status } = response
  const error = api.format.readError(typeof body === 'object' ? body : { message: body ?? text }, status)
  return { status: error?.status ?? status, error, retry_after_ms: hintInHeaders(response.headers) }
}

function withType(body: unknown, text: string, { headers }: Response, { error_type_header }: UpstreamApi): unknown {
  const type = error_type_header && headers.get(error_type_header)
  return type ? { ...(isObject(body) ? body : { message: text }), __type: type } : body
}

/** The error when text came in place of a file or stream. */
export async function wrongType({ call, api, response, abort }: UpstreamExchange): Promise<Error> {
  const body = rewriteBody(parseObject(await readErrorBody(response, abort)), api, call.body)
  const error = api.format.readError(body)
  return error ? new UpstreamRejected({ status: error.status, error }) : unusableResponse()
}

const textual = /^(?:text\/html|application\/json)/i

export const typeOf = ({ headers }: Response) => headers.get('content-type') ?? ''

export const isTextual = (response: Response) => textual.test(typeOf(response))
