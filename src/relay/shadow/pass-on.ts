/** Passes a request to the old gateway as it came, and its answer to the client as that comes; both are read along. */
import { Refusal } from '../../contracts/refusal.ts'
import { HOP_HEADER } from '../../contracts/relay.ts'
import { env } from '../../env.ts'
import { NetworkError, readChunks, upstreamFetch } from '../../net/upstream-fetch.ts'
import { stopwatch } from '../../process/clock.ts'
import { bodyStream } from '../../stream/body-stream.ts'
import { ClientConnection } from '../../stream/client-connection.ts'
import { BodyShare } from '../../web/body-budget.ts'
import { readBytes } from '../../web/read-body.ts'
import { addressOf, pathOf } from '../../web/request.ts'
import type { RelayContext } from '../endpoint.ts'
import { ClientDisconnected } from '../errors/fault.ts'
import { notFound } from '../errors/not-found.ts'
import { hopsBehind } from '../request/hops.ts'
import { PassedBody } from './passed-body.ts'
import { ShadowedCall } from './shadowed-call.ts'

export type PassedContext = Pick<RelayContext, 'request' | 'server' | 'params'> & Partial<Pick<RelayContext, 'route'>>

const MS_PER_SECOND = 1000

/** @throws Refusal, such as 502 and 504 where the old gateway does not answer */
export async function passOn(context: PassedContext): Promise<Response> {
  const { request, server } = context
  // What is open on both sides would have to be read and priced by each message.
  if (request.headers.get('upgrade')?.toLowerCase() === 'websocket')
    throw new Refusal('relay.shadow_no_socket', {}, 501)
  const url = await urlOf(request)
  const address = addressOf(request, server)
  const headers = { ...passedHeaders(request.headers), 'x-forwarded-for': address, [HOP_HEADER]: hopsBehind(request) }
  const elapsed = stopwatch()
  const share = new BodyShare(`address ${address}`)
  const connection = new ClientConnection(request, server)
  const abort = new AbortController()
  request.signal.addEventListener('abort', () => abort.abort(new ClientDisconnected()), { once: true })
  let call: ShadowedCall | undefined
  try {
    const body = await bodyOf(request, share)
    connection.hold()
    const answering = upstreamFetch(
      {
        url,
        headers: { ...headers, 'accept-encoding': 'identity' },
        body,
        method: request.method,
        passes_redirects: true,
      },
      abort,
      env.UPSTREAM_TIMEOUT * MS_PER_SECOND,
    )
    call = ShadowedCall.of(context, { body, address, elapsed })
    const answer = await answering
    call?.answered(answer)
    const chunks = readChunks(answer, abort, env.STREAM_IDLE_TIMEOUT * MS_PER_SECOND)
    const passed = new PassedBody(chunks, abort, call, share)
    return new Response(bodyStream(passed, connection, 0), { status: answer.status, headers: answerHeaders(answer) })
  } catch (error) {
    share[Symbol.dispose]()
    connection.idle()
    const failure = failureOf(error)
    call?.unanswered(failure)
    throw failure
  }
}

/** @throws Refusal 404 for a path that would lead out of the address, as `/v1/%2e%2e/api` would */
async function urlOf(request: Request): Promise<string> {
  const base = env.SHADOW_OF!
  const path = pathOf(request.url)
  const start = request.url.indexOf('/', request.url.indexOf('//') + 2)
  const rest = request.url.slice(start + path.length)
  const url = new URL(base + path)
  const { pathname } = new URL(base)
  return url.pathname === pathname.replace(/\/$/, '') + path ? base + path + rest : notFound(request)
}

const hasNoBody = new Set(['GET', 'HEAD', 'DELETE'])

async function bodyOf(request: Request, share: BodyShare): Promise<Uint8Array<ArrayBuffer>> {
  if (hasNoBody.has(request.method)) return new Uint8Array()
  try {
    return (await readBytes(request, env.MAX_REQUEST_MB, share)) as Uint8Array<ArrayBuffer>
  } catch (error) {
    throw request.signal.aborted ? new ClientDisconnected() : error
  }
}

/** Headers of one connection, those that the request gets anew, and the cookies of this site. https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const ofConnection = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'content-length', 'expect', 'alt-svc'],
]
const notAsked = new Set([...ofConnection, 'host', 'cookie', 'forwarded', 'x-real-ip', 'accept-encoding'])
/** The body comes inflated, and a cookie of the old gateway would be one of this site. */
const notAnswered = new Set([...ofConnection, 'set-cookie', 'content-encoding'])

function passedHeaders(headers: Headers, left = notAsked): Record<string, string> {
  const named = (headers.get('connection') ?? '').split(',').map(name => name.trim().toLowerCase())
  return Object.fromEntries([...headers].filter(([name]) => !left.has(name) && !named.includes(name)))
}

const answerHeaders = ({ headers }: Response) => passedHeaders(headers, notAnswered)

function failureOf(error: unknown): Error {
  if (!(error instanceof NetworkError)) return error as Error
  return error.failure === 'timeout'
    ? new Refusal('relay.shadow_timeout', {}, 504)
    : new Refusal('relay.shadow_unreachable', {}, 502)
}
