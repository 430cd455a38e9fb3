/** The demo's upstream: answers any OpenAI chat at reading speed and reports usage. */
import { requestId } from '../../crypto/random-id.ts'

const WORD_PAUSE_MS = 30
const CHARACTERS_PER_TOKEN = 4
const encoder = new TextEncoder()

const sentences = [
  'This answer comes from the upstream that is built into the demo, so no provider was called and nothing was spent.',
  'Every word of it passed the gate: the key was checked, quota was set aside, and the bill is already in the usage log.',
  'Open the row there to see the receipt, line by line.',
]

interface Chat {
  model: string
  messages: unknown[]
  stream?: boolean
  stream_options?: { include_usage?: boolean }
}

/** Listens on a loopback port. @returns its base URL */
export function startDemoUpstream(): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: respond })
  server.unref()
  return `http://127.0.0.1:${server.port}`
}

async function respond(request: Request): Promise<Response> {
  const chat = (await request.json()) as Chat
  const words = sentences.join(' ').split(/(?<= )/)
  const usage = usageOf(chat, words)
  if (!chat.stream) return Response.json(whole(chat, words.join(''), usage))
  return new Response(streamed(chat, words, usage) as never, {
    headers: { 'content-type': 'text/event-stream' },
  })
}

function usageOf({ messages }: Chat, words: string[]) {
  const prompt_tokens = Math.ceil(JSON.stringify(messages).length / CHARACTERS_PER_TOKEN)
  return { prompt_tokens, completion_tokens: words.length, total_tokens: prompt_tokens + words.length }
}

const whole = ({ model }: Chat, content: string, usage: object) => ({
  id: requestId(),
  object: 'chat.completion',
  created: 0,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage,
})

async function* streamed({ model, stream_options }: Chat, words: string[], usage: object) {
  const id = requestId()
  const event = (rest: object) =>
    encoder.encode(`data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 0, model, ...rest })}\n\n`)
  const choice = (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, finish_reason }] })
  yield choice({ role: 'assistant', content: '' })
  for (const content of words) {
    await Bun.sleep(WORD_PAUSE_MS)
    yield choice({ content })
  }
  yield choice({}, 'stop')
  if (stream_options?.include_usage) yield event({ choices: [], usage })
  yield encoder.encode('data: [DONE]\n\n')
}
