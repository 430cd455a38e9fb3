/** Starts a file, such as speech: waits for its first bytes, so that another channel can still take over. */

import { redactedCode } from '../../domain/routing/index.ts'
import { env } from '../../env.ts'
import { readChunks } from '../../net/upstream-fetch.ts'
import { unusableResponse } from '../errors/classify-error.ts'
import { isTextual, typeOf, wrongType } from './read-rejection.ts'
import { readWhole } from './read-whole.ts'
import {
  FILE_FACTS,
  type FileResponse,
  responseBase,
  type UpstreamExchange,
  type WholeResponse,
} from './upstream-response.ts'

/** Every file is speech: another type is an error, or the page of a server that is no provider. */
const sound = /^(?:audio\/|application\/octet-stream\s*(?:;|$))/i

export async function startFile(exchange: UpstreamExchange): Promise<FileResponse | WholeResponse> {
  const { api, channel, response, abort, pace } = exchange
  if (isTextual(response) && api.unwrapFile) return readWhole(exchange)
  if (!sound.test(typeOf(response))) throw await wrongType(exchange)
  const source = readChunks(response, abort, env.STREAM_IDLE_TIMEOUT * 1000, pace)
  const first = await source.next()
  if (!first) {
    abort.abort()
    throw unusableResponse()
  }
  const type = redactedCode(typeOf(response), channel)
  return { ...responseBase(exchange), abort, source, first, type, facts: FILE_FACTS }
}
