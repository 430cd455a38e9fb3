/**
 * A scripted OpenAI-compatible upstream: strict about what it is sent, silent about nothing (its journal holds every
 * call), and as well or ill behaved as the script for the asked model says. Scripts are in `chat-scripts.ts` and
 * `endpoint-scripts.ts`.
 */
import { now } from '../../../src/process/clock.ts'
import { listen, type Received, type ScriptedAnswer } from './http-server.ts'
import { FORM_TYPE, JSON_TYPE, rulesOf } from './openai-rules.ts'

type Json = Record<string, unknown>

export type Call = {
  method: string
  path: string
  /** What came as the bearer key. */
  key: string
  headers: Record<string, string>
  /** Of a form, its fields; its files are apart. */
  body: Json
  /** The body as it came. */
  text: string
  /** The files of a form, by field. */
  files: Record<string, File[]>
  /** Body bytes handed to the network so far. */
  readonly sent_bytes: number
  /** How it ended: as scripted, or because the caller left before. */
  ended: Promise<'completed' | 'aborted'>
}

export type Script = (call: Call, answer: ScriptedAnswer) => Promise<void>

export interface Upstream {
  /** The base URL of a channel. */
  url: string
  /** The keys it takes; `sk-upstream` at first. */
  keys: Set<string>
  /** From now on, calls for this model are answered so. */
  scripts(model: string, script: Script): void
  /** Every call that reached it, oldest first. */
  journal: Call[]
  /** What no well-made gateway would have sent. */
  violations: string[]
  stop(): void
}

/** OpenAI's own error body. */
export const errorBody = (message: string, type: string, code: string | null = null, param: string | null = null) => ({
  error: { message, type, param, code },
})

const invalid = (message: string, param: string | null = null) =>
  errorBody(message, 'invalid_request_error', null, param)

export async function fakeUpstream(): Promise<Upstream> {
  const scripts = new Map<string, Script>()
  const journal: Call[] = []
  const violations: string[] = []
  const keys = new Set(['sk-upstream'])

  const server = await listen(async (received, answer) => {
    const call = await callOf(received, answer)
    const done = Promise.withResolvers<'completed' | 'aborted'>()
    call.ended = done.promise
    journal.push(call)
    const violation = violationOf(received, call)
    if (violation) violations.push(violation)
    answer.left.then(() => answer.gone && done.resolve('aborted'))
    await respond(call, answer, violation)
    done.resolve(answer.gone ? 'aborted' : 'completed')
  })

  function respond(call: Call, answer: ScriptedAnswer, violation: string | undefined): Promise<void> {
    if (!keys.has(call.key)) {
      const shown = `${call.key.slice(0, 3)}***`
      return answer.json(
        errorBody(`Incorrect API key provided: ${shown}.`, 'invalid_request_error', 'invalid_api_key'),
        401,
      )
    }
    if (violation) return answer.json(invalid(violation), violation.startsWith('Invalid URL') ? 404 : 400)
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
    scripts: (model, script) => void scripts.set(model, script),
    journal,
    violations,
    stop: server.stop,
  }
}

const modelList = (scripts: Map<string, Script>) => ({
  object: 'list',
  data: [...scripts.keys()].map(id => ({ id, object: 'model', created: now(), owned_by: 'upstream' })),
})

async function callOf(received: Received, answer: ScriptedAnswer): Promise<Call> {
  const form = await formIn(received)
  return {
    method: received.method,
    path: received.target.split('?')[0]!,
    key: /^Bearer (.+)$/.exec(received.headers.authorization ?? '')?.[1] ?? '',
    headers: received.headers,
    body: form?.fields ?? objectIn(received.body) ?? {},
    text: received.body,
    files: form?.files ?? {},
    ended: Promise.resolve('completed'),
    get sent_bytes() {
      return answer.sent_bytes
    },
  }
}

function violationOf({ method, target, headers, body }: Received, call: Call): string | undefined {
  const rules = method === 'POST' ? rulesOf[call.path] : undefined
  if (!rules && `${method} ${call.path}` !== 'GET /v1/models') return `Invalid URL (${method} ${call.path})`
  if (target.includes('?')) return `Unknown query: ${target.slice(target.indexOf('?'))}`
  if (!rules) return body ? 'A GET with a body' : undefined
  const kind = headers['content-type']?.split(';')[0] ?? 'nothing'
  if (!rules.takes.includes(kind)) return `The content type must be ${rules.takes.join(' or ')}, not ${kind}`
  if (kind === JSON_TYPE && !objectIn(body)) return 'We could not parse the JSON body of your request.'
  return rules.violation(call)
}

function objectIn(text: string): Json | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A form, read by another's hand than the gateway's. */
async function formIn({ headers, bytes }: Received) {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith(FORM_TYPE)) return
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
  const fields: Json = {}
  const files: Record<string, File[]> = {}
  for (const [name, value] of form?.entries() ?? []) {
    if (typeof value === 'string') fields[name] = name in fields ? [fields[name], value].flat() : value
    else files[name] = [...(files[name] ?? []), value as File]
  }
  return { fields, files }
}
