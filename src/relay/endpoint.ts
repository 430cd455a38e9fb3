/** A path of the API: its route, what it does, and a request to it. */
import type { Server } from 'bun'
import type { RELAY_PREFIXES } from '../contracts/relay.ts'
import type { ClientFormat } from '../formats/format.ts'
import type { Operation } from '../providers/index.ts'
import type { ErrorFormatFor } from './errors/error-format.ts'
import type { CallTrace } from './watching/call-trace.ts'

/** OpenAI's old billing paths and the usage of a key count under the rate limit of the console's API. */
type Prefix = (typeof RELAY_PREFIXES)[number] | 'dashboard' | 'api/usage'

export interface ApiRoute {
  method: 'GET' | 'POST' | 'DELETE'
  /** `:name` is one segment. `*` is a model name, which may hold slashes; `*:verb` ends in a verb, as Gemini's do. */
  path: `/${Prefix}${string}`
  errors: ErrorFormatFor
  /** A session of the console is the credential, for pages of this site alone. */
  by_session?: true
  /** Visitors of this site call without a credential of their own. */
  by_visitor?: true
  /** Whether the key may come as `?key=`, as Gemini's clients send it. */
  key_in_query?: boolean
  /** Header that may carry the key beside the usual ones. */
  key_header?: string
  /** What API keys pay for here; absent for lookups, which cost nothing. */
  operation?: Operation
  /** What is called, absent for lookups; undefined where the rest of the path or the query asks for nothing paid. */
  endpoint?(context: RelayContext): Endpoint | undefined
  /** What it costs follows from a task that the path names: the request alone has no price. */
  continues_task?: true
  /** Absent for paths of the providers' APIs that are not available here: 501. */
  handle?(context: RelayContext): Promise<unknown>
}

/** The server's side of a request; null in tests without a socket. */
export type RelayServer = Pick<Server<object>, 'requestIP' | 'timeout' | 'upgrade'> | null

export interface RelayContext {
  request: Request
  server: RelayServer
  /** Path parameters; `*` is a model name, with what follows it. */
  params: Record<string, string>
  route: ApiRoute
  /** Absent for calls that are not traced. */
  trace?: CallTrace
}

/** What a path does: the operation and the client's format. */
export interface Endpoint {
  operation: Operation
  format: ClientFormat
  /**
   * `optional`: JSON or a multipart form. `inlined`: the same, with files as data URLs. `recording`: a form with an audio
   * file, whose seconds are measured.
   */
  form?: 'optional' | 'inlined' | 'recording'
  /** The response is a task, and its client fetches the result later. */
  is_task?: true
  /** Path below that of the operation, which upstreams of the client's own format alone have. */
  below?: string
  /** The model, where the path names it. */
  model?: string
  /** Whether to stream, where the path or query says it; `array` streams one JSON array instead of events. */
  stream?: boolean | 'array'
}
