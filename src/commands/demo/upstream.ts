/** The demo's upstream: answers chats in each client format at reading speed, makes drawings, songs and videos, and reports usage, models and balances. */
import { usageOf } from '../../billing/usage.ts'
import { requestId } from '../../crypto/random-id.ts'
import type { ChatRequest, ChatResponse } from '../../formats/canonical/chat.ts'
import { replay } from '../../formats/canonical/replay.ts'
import type { ChatClientFormat, ResponseLabel } from '../../formats/format.ts'
import { type ClientFormatName, chatFormats } from '../../formats/index.ts'
import { isFlaw } from '../../formats/json/checks.ts'
import { now } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { type DemoChannel, demoChannels } from './channel-list.ts'
import { answerTask } from './tasks.ts'

const EVENT_PAUSE_MS = 30
const CHARACTERS_PER_TOKEN = 4
/** Longer than the pause between two calls of the traffic, so that the channel is seen cooling down. */
const RETRY_AFTER_SECONDS = 90
const encoder = new TextEncoder()

const sentences = [
  'This answer comes from the upstream that is built into the demo, so no provider was called and nothing was spent.',
  'Every word of it passed the gate: the key was checked, quota was set aside, and the bill is already in the usage log.',
  'Open the row there to see the receipt, line by line.',
]

/** Listens on a loopback port. @returns its base URL */
export function startDemoUpstream(): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: respond })
  server.unref()
  return `http://127.0.0.1:${server.port}`
}

async function respond(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const key = keyOf(request, url)
  const channel = demoChannels.find(({ key: beginning }) => key.startsWith(beginning))
  const refused = refusal(channel)
  if (refused) return refused
  const task = await answerTask(request, url)
  if (task) return task
  if (request.method === 'GET') return Response.json(answers(url.pathname, channel))
  await Bun.sleep(channel?.latency_ms ?? 0)
  const { model, isStream, name } = target(url)
  const format = chatFormats[name]
  const chat = format.readRequest((await request.json()) as Json, { model, stream: isStream })
  // The gateway has read the request before: only a call around it can have a flaw.
  if (isFlaw(chat)) return Response.json(chat, { status: 400 })
  return isOverloaded(channel, chat) ? overloaded() : chatResponse(format, chat)
}

/** The format of a path, and what Gemini's paths have instead of fields. */
function target({ pathname }: URL): { name: ClientFormatName; model?: string; isStream?: boolean } {
  const [, model, action] = /\/models\/([^:]+):(\w+)$/.exec(pathname) ?? []
  if (model) return { name: 'gemini', model, isStream: action === 'streamGenerateContent' }
  if (pathname.endsWith('/messages')) return { name: 'anthropic' }
  return { name: pathname.endsWith('/responses') ? 'openai-responses' : 'openai-chat' }
}

const keyOf = ({ headers }: Request, { searchParams }: URL): string =>
  headers.get('authorization')?.replace('Bearer ', '') ??
  ['x-api-key', 'api-key', 'x-goog-api-key'].map(name => headers.get(name)).find(Boolean) ??
  searchParams.get('key') ??
  ''

/** One channel's key is invalid, another one is over its rate limit. */
function refusal({ fault }: Partial<DemoChannel> = {}): Response | undefined {
  if (fault === 'key') return Response.json({ error: { message: 'invalid x-api-key' } }, { status: 401 })
  if (fault === 'limit') {
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
    return Response.json({ error: { message: 'Rate limit reached for requests' } }, { status: 429, headers })
  }
  return undefined
}

/** One channel refuses streams in every third second, so that calls of the traffic are seen retried. */
const isOverloaded = (channel: DemoChannel | undefined, { stream }: ChatRequest) =>
  channel?.fault === 'overload' && stream && now() % 3 === 0

const overloaded = () => Response.json({ error: { message: 'Overloaded' } }, { status: 529 })

/** Model lists and balances, in the shapes of OpenAI, DeepSeek, OpenRouter and Gemini. */
function answers(path: string, { balance = 0, models = '' }: Partial<DemoChannel> = {}): object {
  const ids = models.split(',')
  if (path.endsWith('/models')) {
    return { data: ids.map(id => ({ id })), models: ids.map(id => ({ name: `models/${id}` })) }
  }
  return {
    hard_limit_usd: balance,
    total_usage: 0,
    balance_infos: [{ currency: 'CNY', total_balance: String(balance) }],
    data: { total_credits: balance, total_usage: 0, available_balance: balance },
  }
}

function chatResponse(format: ChatClientFormat, request: ChatRequest): Response {
  const label: ResponseLabel = { id: requestId(), created: now(), request }
  const response = responseTo(request, label)
  if (!request.stream) return Response.json(format.writeResponse(response, label))
  return new Response(streamed(format, response, label) as never, { headers: { 'content-type': 'text/event-stream' } })
}

function responseTo({ model, messages }: ChatRequest, { id, created }: ResponseLabel): ChatResponse {
  const text = sentences.join(' ')
  const input = Math.ceil(JSON.stringify(messages).length / CHARACTERS_PER_TOKEN)
  const usage = usageOf({ input, output: text.split(' ').length })
  return {
    ...{ id, model, created, usage, doubts: [] },
    choices: [{ parts: [{ kind: 'text', text }], finish: { reason: 'stop' } }],
  }
}

/** Word by word. */
async function* streamed(format: ChatClientFormat, response: ChatResponse, label: ResponseLabel) {
  const writer = format.writeStream(label)
  for (const event of replay(response)) {
    if (event.kind !== 'delta' || !('text' in event.delta)) {
      yield encoder.encode(writer.write(event))
      continue
    }
    for (const text of event.delta.text.split(/(?<= )/)) {
      await Bun.sleep(EVENT_PAUSE_MS)
      yield encoder.encode(writer.write({ ...event, delta: { text } }))
    }
  }
}
