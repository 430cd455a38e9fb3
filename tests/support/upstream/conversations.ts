/** Servers that keep conversations, as Dify and Coze do: the events of an answer, and what was asked for. */
import { afterAll } from 'bun:test'
import { listen, type Received, type ScriptedAnswer } from './http-server.ts'
import type { Json } from './strict-provider.ts'

export interface Asked extends Received {
  json: Json
}

type Reply = (asked: Asked, answer: ScriptedAnswer) => Promise<void>

/** @param replies by the beginning of method and path. @returns what was asked, in order */
export async function conversationServer(replies: Record<string, Reply>) {
  const asked: Asked[] = []
  const server = await listen(async (received, answer) => {
    const isJson = received.headers['content-type']?.startsWith('application/json')
    const one = { ...received, json: isJson ? JSON.parse(received.body) : {} }
    asked.push(one)
    const line = `${received.method} ${received.target}`
    const reply = Object.entries(replies).find(([begin]) => line.startsWith(begin))?.[1]
    return reply ? reply(one, answer) : answer.json({ code: 'not_found', message: line, status: 404 }, 404)
  })
  afterAll(() => server.stop())
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    replies,
    /** Requests whose path begins so. */
    count: (path: string) => asked.filter(({ target }) => target.startsWith(path)).length,
  }
}

/** Sends events of texts as they are, of objects as data. */
export async function sendEvents(answer: ScriptedAnswer, events: (string | object)[]) {
  await answer.head(200, { 'content-type': 'text/event-stream; charset=utf-8' }, 'chunked')
  for (const event of events)
    await answer.write(`${typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`}\n\n`)
  await answer.end()
}

/** The same question in the four formats, with the conversation where each has a place for it. */
export const continuing: Record<string, (model: string, conversation?: string) => { path: string; body: Json }> = {
  'openai-chat': (model, conversation) => ({
    path: '/v1/chat/completions',
    body: {
      model,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'And now?' },
      ],
      ...(conversation && { metadata: { conversation_id: conversation } }),
    },
  }),
  'openai-responses': (model, conversation) => ({
    path: '/v1/responses',
    body: {
      model,
      input: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'And now?' },
      ],
      ...(conversation && { metadata: { conversation_id: conversation } }),
    },
  }),
  anthropic: (model, conversation) => ({
    path: '/v1/messages',
    body: {
      model,
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'And now?' },
      ],
      ...(conversation && { metadata: { conversation_id: conversation } }),
    },
  }),
  gemini: (model, conversation) => ({
    path: `/v1beta/models/${model}:generateContent`,
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hello.' }] },
        { role: 'user', parts: [{ text: 'And now?' }] },
      ],
      ...(conversation && { labels: { conversation_id: conversation } }),
    },
  }),
}

/** The same call as a stream. */
export const asStream = ({ path, body }: { path: string; body: Json }) =>
  path.includes(':generateContent')
    ? { path: `${path.replace(':generateContent', ':streamGenerateContent')}?alt=sse`, body }
    : { path, body: { ...body, stream: true } }
