// @engine sqlite
/** DashScope's streams: gathered for clients that want a whole response, failing, and their usage. */
import { describe, expect, test } from 'bun:test'
import { logsOf } from '../support/app/logs.ts'
import { readStream } from '../support/people/responses.ts'
import { speakers } from '../support/people/sdk-clients.ts'
import { until } from '../support/until.ts'
import { events, servedDashScope } from '../support/upstream/dashscope.ts'

type Json = Record<string, any>

const messages = [{ role: 'user', content: 'Say hello' }]
const models = {
  stream_only: 'qwq-plus',
  native: 'qwen-plus-internet',
  native_stream_only: 'qwq-plus-internet',
  chat: 'qwen3-32b',
}
const { upstream, ann, billOf } = await servedDashScope(Object.values(models))

const chunk = (delta: Json, finish_reason: string | null = null, usage?: Json) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_750_000_000,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
  usage: usage ?? null,
})
const native = (message: Json, finish_reason: string, usage?: Json) =>
  `id:1\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify({ output: { choices: [{ finish_reason, message }] }, usage, request_id: 'r' })}`
const used = { prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 }

const CHATS = '/compatible-mode/v1/chat/completions'
const GENERATION = '/api/v1/services/aigc/text-generation/generation'

describe('a model that streams alone', () => {
  const asked = { max_tokens: 50, messages }
  const callers = {
    'openai-chat': { body: asked, text: (answer: Json) => answer.choices[0].message.content },
    anthropic: { body: asked, text: (answer: Json) => answer.content.find((part: Json) => part.type === 'text').text },
    gemini: {
      body: { contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }] },
      text: (answer: Json) => answer.candidates[0].content.parts.findLast((part: Json) => !part.thought).text,
    },
    'openai-responses': { body: { input: 'Say hello' }, text: (answer: Json) => answer.output_text },
  } as const

  test.each(Object.keys(callers) as (keyof typeof callers)[])('is gathered for a %s client', async name => {
    upstream.on(CHATS, () =>
      events(
        chunk({ reasoning_content: 'A greeting' }),
        chunk({ content: 'Hello ' }),
        chunk({ content: 'there' }),
        chunk({}, 'stop'),
        { ...chunk({}), choices: [], usage: used },
        'data: [DONE]',
      ),
    )
    const { body, text } = callers[name]
    const answer = await speakers[name](ann).whole({ ...body, model: models.stream_only })
    expect(text(answer as Json)).toBe('Hello there')
    expect(upstream.to(CHATS)[0]!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(await billOf()).toMatchObject({ prompt_tokens: 9, completion_tokens: 6, quota: 9 + 4 * 6 })
  })

  const wishes: [path: string, body: Json][] = [
    ['/v1/chat/completions', { messages, enable_thinking: true }],
    ['/v1/chat/completions', { messages, reasoning_effort: 'high' }],
    ['/v1/messages', { messages, max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 2000 } }],
    ['/v1/responses', { input: 'Say hello', reasoning: { effort: 'high' } }],
    [
      `/v1beta/models/${models.chat}:generateContent`,
      {
        contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }],
        generationConfig: { thinkingConfig: { thinkingBudget: 2000, includeThoughts: true } },
      },
    ],
  ]
  test.each(wishes)('is what open weights are to a client of %s that asks for thoughts', async (path, body) => {
    upstream.on(CHATS, () =>
      events(chunk({ reasoning_content: 'A greeting' }), chunk({ content: 'Hello' }, 'stop'), 'data: [DONE]'),
    )
    const response = await ann.postTo(path, { model: models.chat, ...body })
    expect(await response.text()).toMatch(/A greeting[\s\S]*Hello|Hello[\s\S]*A greeting/)
    expect(upstream.to(CHATS)[0]!.body).toMatchObject({ stream: true, enable_thinking: true })
  })

  test('fails as a whole when its stream does', async () => {
    const before = await ann.balance()
    const error = { code: 'data_inspection_failed', message: 'inappropriate', type: 'data_inspection_failed' }
    for (const [last, status] of [
      [{ error }, 400],
      ['', 502],
    ] as const) {
      upstream.on(CHATS, () => events(chunk({ content: 'Hello' }), ...(last ? [last] : [])))
      expect((await ann.chat({ model: models.stream_only })).status).toBe(status)
    }
    expect(await ann.balance()).toEqual(before)
  })
})

const compatible = [chunk({ content: 'Hello' }), chunk({}, 'stop', used)].map(event => `data: ${JSON.stringify(event)}`)
const generated = [
  native({ content: 'Hello' }, 'null'),
  native({ content: '' }, 'stop', { input_tokens: 9, output_tokens: 6 }),
]

test.each([
  ['compatible', models.stream_only, CHATS, compatible],
  ['native', models.native_stream_only, GENERATION, generated],
])('a stream is gathered whole where its last event has no blank line, in %s form', async (_, model, path, pieces) => {
  const headers = { 'content-type': 'text/event-stream' }
  for (const end of ['', '\n', '\r\n']) {
    upstream.on(path, () => new Response(pieces.join('\n\n') + end, { headers }))
    const response = await ann.chat({ model })
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
    })
    expect(await billOf()).toMatchObject({ prompt_tokens: 9, completion_tokens: 6 })
  }
})

describe('a failure inside a stream', () => {
  const refused = { code: 'Throttling.RateQuota', message: 'Slow down', request_id: 'r' }
  const streams: [name: string, model: string, path: string, answer: () => Response][] = [
    ['DashScope’s form', models.chat, CHATS, () => events(chunk({ content: 'Hello' }), refused)],
    [
      'OpenAI’s form',
      models.chat,
      CHATS,
      () => events(chunk({ content: 'Hello' }), { error: { ...refused, type: 'x' } }),
    ],
    [
      'native form',
      models.native,
      GENERATION,
      () =>
        events(
          native({ content: 'Hello' }, 'null'),
          `id:2\nevent:error\n:HTTP_STATUS/429\ndata:${JSON.stringify(refused)}`,
        ),
    ],
  ]

  test.each(streams)(
    'in %s reaches clients of three formats after what came before it',
    async (_, model, path, answer) => {
      upstream.on(path, answer)
      const openai = await readStream(await ann.stream({ model }))
      expect([openai.text, openai.done, openai.error?.message]).toEqual([
        'Hello',
        false,
        expect.stringContaining('saturated'),
      ])
      const message = await (await ann.postTo('/v1/messages', { model, max_tokens: 9, messages, stream: true })).text()
      expect(message).toContain('"text":"Hello"')
      expect(message).toMatch(/event: error\ndata: .*rate_limit_error/)
      expect(message).not.toContain('message_stop')
      const contents = [{ role: 'user', parts: [{ text: 'Say hello' }] }]
      const gemini = await ann.postTo(`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents })
      expect(await gemini.text()).toMatch(/Hello[\s\S]*"code":429/)
    },
  )

  test('before its first text is an error of the call, which is free', async () => {
    const before = await ann.balance()
    upstream.on(GENERATION, () => events(`event:error\ndata:${JSON.stringify(refused)}`))
    expect((await ann.stream({ model: models.native })).status).toBe(429)
    expect(await ann.balance()).toEqual(before)
  })
})

describe('usage of a native stream', () => {
  const usage = (output_tokens: number) => ({ input_tokens: 9, output_tokens, total_tokens: 9 + output_tokens })

  test('the last of growing reports counts, a missing one is counted here', async () => {
    upstream.on(GENERATION, () =>
      events(
        native({ content: 'Hello' }, 'null', usage(1)),
        native({ content: ' there' }, 'null', usage(2)),
        native({ content: '' }, 'stop', usage(3)),
        native({ content: '' }, 'stop', usage(3)),
      ),
    )
    expect((await readStream(await ann.stream({ model: models.native }))).done).toBe(true)
    expect(await billOf()).toMatchObject({ prompt_tokens: 9, completion_tokens: 3, quota: 21 })
    upstream.on(GENERATION, () => events(native({ content: 'Hello there' }, 'stop')))
    await readStream(await ann.stream({ model: models.native }))
    const local = await until(async () => (await logsOf(ann.person)).find(({ other }: Json) => other.counted_locally))
    expect(local.completion_tokens).toBeGreaterThan(0)
  })
})
