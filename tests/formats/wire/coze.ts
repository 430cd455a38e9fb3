/** Bots of Coze: every answer is a stream of named events. */
import { coze as format } from '../../../src/formats/coze/index.ts'
import { answerSchema, type Json, picture, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const said = (role: 'user' | 'assistant', content: unknown, content_type = 'text'): Json => ({
  role,
  type: role === 'user' ? 'question' : 'answer',
  content,
  content_type,
})

const ask = (additional_messages: Json[], user_id?: string): Json => ({
  ...(user_id && { user_id }),
  additional_messages,
  stream: true,
  auto_save_history: true,
})

const question = 'What is 2 + 2?'
const demand =
  'Answer with one JSON object and nothing else: no explanation, no code fence. It must match this JSON schema.'

const requests: UpstreamWire['requests'] = {
  text: ask([said('user', 'Be brief.\n\nHi'), said('assistant', 'Hello.'), said('user', question)], 'ann'),
  image: ask([
    said(
      'user',
      [
        { type: 'text', text: 'What is this?' },
        { type: 'image', content: { name: 'file.png', media_type: 'image/png', data: picture } },
      ],
      'object_string',
    ),
  ]),
  schema: ask([said('user', `${demand}\n${JSON.stringify(answerSchema)}\n\n${question}`)]),
  thinking: ask([said('user', question)]),
  stop: ask([said('user', question)]),
}

/** As the framing gives an event. */
const event = (name: string, data: Json): Json => ({ event: name, data: JSON.stringify(data) })

const ids = { id: 'm-1', conversation_id: 'c-1', bot_id: 'b-1', chat_id: 'chat-1' }

const delta = (fields: Json) =>
  event('conversation.message.delta', { ...ids, role: 'assistant', type: 'answer', content_type: 'text', ...fields })

const stream = (deltas: Json[], input_count: number, output_count: number): string =>
  unnamed([
    ...deltas.map(delta),
    event('conversation.message.completed', { ...ids, role: 'assistant', type: 'answer', content: 'again' }),
    event('conversation.chat.completed', {
      ...{ id: 'chat-1', conversation_id: 'c-1', bot_id: 'b-1', status: 'completed' },
      usage: { token_count: input_count + output_count, output_count, input_count },
    }),
    { event: 'done', data: '"[DONE]"' },
  ])

const words = (...texts: string[]) => texts.map(content => ({ content }))

const streams: UpstreamWire['streams'] = {
  text: stream(words('Four', ' 四', '.'), 22, 5),
  image: stream(words('A dot.'), 800, 3),
  schema: stream(words('{"answer":4', ',"sure":true}'), 50, 9),
  thinking: stream(
    [{ content: '', reasoning_content: 'Two and' }, { content: '', reasoning_content: ' two.' }, ...words('Four.')],
    30,
    60,
  ),
  stop: stream(words('Four'), 20, 1),
}

const error = { code: 4009, msg: 'Slow down' }

export const coze: UpstreamWire = {
  title: 'Coze',
  format,
  model: 'bot',
  requests,
  streams,
  errors: {
    status: 200,
    body: error,
    stream: unnamed([delta({ content: 'Fo' }), event('conversation.chat.failed', { ...ids, last_error: error })]),
  },
  without: { tools: 'A bot calls its own tools; functions of a client are refused.' },
  // Gemini's clients name no user, and their schemas are more open.
  unsaid: { gemini: ['user_id', 'content'] },
}
