/**
 * A scripted OpenAI-compatible upstream: strict about what it is sent, silent about nothing (its journal holds every
 * call), and as well or ill behaved as the script for the asked model says. Scripts are in `scripts.ts`.
 */
import { now } from '../../src/kit/clock.ts'
import { type Answer, listen, type Received } from './wire.ts'

type Json = Record<string, unknown>

export type Call = {
  method: string
  path: string
  /** What came as the bearer key. */
  key: string
  headers: Record<string, string>
  body: Json
  /** The body as it came. */
  text: string
  /** Body bytes handed to the network so far. */
  readonly sent_bytes: number
  /** How it ended: as scripted, or because the caller left before. */
  ended: Promise<'completed' | 'aborted'>
}

export type Script = (call: Call, answer: Answer) => Promise<void>

export interface Upstream {
  /** The base URL of a channel. */
  url: string
  /** The keys it takes; `sk-upstream` at first. */
  keys: Set<string>
  /** From now on, calls for this model are answered so. */
  says(model: string, script: Script): void
  /** Every call that reached it, oldest first. */
  journal: Call[]
  /** What no well-made gateway would have sent. */
  complaints: string[]
  stop(): void
}

const knownPaths = new Set(['POST /v1/chat/completions', 'GET /v1/models'])

/** OpenAI's own error body. */
export const errorBody = (message: string, type: string, code: string | null = null, param: string | null = null) => ({
  error: { message, type, param, code },
})

const invalid = (message: string, param: string | null = null) =>
  errorBody(message, 'invalid_request_error', null, param)

export async function fakeUpstream(): Promise<Upstream> {
  const scripts = new Map<string, Script>()
  const journal: Call[] = []
  const complaints: string[] = []
  const keys = new Set(['sk-upstream'])

  const server = await listen(async (received, answer) => {
    const call = callOf(received, answer)
    const done = Promise.withResolvers<'completed' | 'aborted'>()
    call.ended = done.promise
    journal.push(call)
    const complaint = complaintAbout(received, call)
    if (complaint) complaints.push(complaint)
    answer.left.then(() => answer.gone && done.resolve('aborted'))
    await respond(call, answer, complaint)
    done.resolve(answer.gone ? 'aborted' : 'completed')
  })

  function respond(call: Call, answer: Answer, complaint: string | undefined): Promise<void> {
    if (!keys.has(call.key)) {
      const shown = `${call.key.slice(0, 3)}***`
      return answer.json(
        errorBody(`Incorrect API key provided: ${shown}.`, 'invalid_request_error', 'invalid_api_key'),
        401,
      )
    }
    if (complaint) return answer.json(invalid(complaint), complaint.startsWith('Invalid URL') ? 404 : 400)
    if (call.path === '/v1/models') return answer.json(modelList(scripts))
    const model = String(call.body.model)
    const script = scripts.get(model)
    if (script) return script(call, answer)
    const missing = `The model \`${model}\` does not exist or you do not have access to it.`
    return answer.json(errorBody(missing, 'invalid_request_error', 'model_not_found'), 404)
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    keys,
    says: (model, script) => void scripts.set(model, script),
    journal,
    complaints,
    stop: server.stop,
  }
}

const modelList = (scripts: Map<string, Script>) => ({
  object: 'list',
  data: [...scripts.keys()].map(id => ({ id, object: 'model', created: now(), owned_by: 'upstream' })),
})

function callOf(received: Received, answer: Answer): Call {
  return {
    method: received.method,
    path: received.target.split('?')[0]!,
    key: /^Bearer (.+)$/.exec(received.headers.authorization ?? '')?.[1] ?? '',
    headers: received.headers,
    body: objectIn(received.body) ?? {},
    text: received.body,
    ended: Promise.resolve('completed'),
    get sent_bytes() {
      return answer.sent_bytes
    },
  }
}

function complaintAbout({ method, target, headers, body }: Received, call: Call): string | undefined {
  if (!knownPaths.has(`${method} ${call.path}`)) return `Invalid URL (${method} ${call.path})`
  if (target.includes('?')) return `Unknown query: ${target.slice(target.indexOf('?'))}`
  if (method === 'GET') return body ? 'A GET with a body' : undefined
  if (!headers['content-type']?.startsWith('application/json')) return 'The content type must be application/json'
  if (!objectIn(body)) return 'We could not parse the JSON body of your request.'
  const { model, messages, stream, stream_options } = call.body
  if (typeof model !== 'string' || !model) return 'you must provide a model parameter'
  if (!Array.isArray(messages) || !messages.length) return "Missing required parameter: 'messages'."
  if (stream_options && stream !== true)
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
}

function objectIn(text: string): Json | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
