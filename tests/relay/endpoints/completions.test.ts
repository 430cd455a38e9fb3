/** Completions, whole and streamed, with several prompts and choices, billed by tokens. */
import { afterAll, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { client, RICH } from '../../support/people/client.ts'
import { openAiOf } from '../../support/people/openai-client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { streams } from '../../support/upstream/chat-scripts.ts'
import { says } from '../../support/upstream/endpoint-scripts.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const MODEL = 'gpt-3.5-turbo-instruct'
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const choice = (text: string, finish_reason: string | null = null) => ({
  index: 0,
  text,
  logprobs: null,
  finish_reason,
})
const whole = (more: object = { usage }) =>
  says({
    id: 'cmpl-1',
    object: 'text_completion',
    model: MODEL,
    choices: [choice('Once upon a time', 'stop')],
    ...more,
  })

const event = (value: object) => `data: ${JSON.stringify({ id: 'cmpl-1', object: 'text_completion', ...value })}\n\n`
const pieces = ['Once ', 'upon ', 'a ', 'time']
const streamed: Script = (call, answer) => {
  const wants = (call.body.stream_options as { include_usage?: boolean } | undefined)?.include_usage
  return streams([
    ...pieces.map(text => event({ choices: [choice(text)] })),
    event({ choices: [choice('', 'stop')] }),
    ...(wants ? [event({ choices: [], usage })] : []),
    'data: [DONE]\n\n',
  ])(call, answer)
}

const upstream = await startUpstream(whole(), MODEL)
await channelTo(upstream, { models: MODEL })
afterAll(() => expect(upstream.violations).toEqual([]))

/** 0.75 a token of the prompt, for output by the family's factor. */
async function costs(ann: Awaited<ReturnType<typeof client>>) {
  const [entry] = await logsOf(ann.person)
  const { model_ratio, completion_ratio } = entry.other
  return Math.round((entry.prompt_tokens + entry.completion_tokens * completion_ratio) * model_ratio)
}

test('a whole response passes unchanged', async () => {
  const ann = await client()
  const answer = await openAiOf(ann).completions.create({ model: MODEL, prompt: 'Tell', max_tokens: 50, echo: false })
  expect(answer.choices[0]!.text).toBe('Once upon a time')
  expect(upstream.journal.at(-1)!.body).toEqual({ model: MODEL, prompt: 'Tell', max_tokens: 50, echo: false })
  expect((await logsOf(ann.person))[0]).toMatchObject({ prompt_tokens: 100, completion_tokens: 20 })
  expect(await ann.balance()).toBe(RICH - (await costs(ann)))
})

test('a stream costs the same and shows its usage only on request', async () => {
  upstream.scripts(MODEL, streamed)
  for (const asked of [false, true]) {
    const ann = await client()
    const stream_options = asked ? { include_usage: true } : undefined
    const stream = await openAiOf(ann).completions.create({
      model: MODEL,
      prompt: 'Tell',
      stream: true,
      stream_options,
    })
    const events = await Array.fromAsync(stream)
    expect(events.map(each => each.choices[0]?.text ?? '').join('')).toBe('Once upon a time')
    expect(events.some(each => each.usage)).toBe(asked)
    expect((await logsOf(ann.person))[0]).toMatchObject({ prompt_tokens: 100, completion_tokens: 20, is_stream: true })
    expect(await ann.balance()).toBe(RICH - (await costs(ann)))
  }
})

test('a response without usage is counted locally', async () => {
  upstream.scripts(MODEL, whole({}))
  const ann = await client()
  await ann.postTo('/v1/completions', { model: MODEL, prompt: ['one two', 'three'] })
  expect((await logsOf(ann.person))[0]).toMatchObject({
    prompt_tokens: 3,
    completion_tokens: 4,
    other: { counted_locally: true },
  })
})

test('a stream that is cut off is billed for what came', async () => {
  upstream.scripts(MODEL, streams([event({ choices: [choice('Once upon')] })]))
  const ann = await client()
  const text = await (await ann.postTo('/v1/completions', { model: MODEL, prompt: 'Tell', stream: true })).text()
  expect(text).toContain('"upstream_broke_off"')
  expect((await logsOf(ann.person))[0]).toMatchObject({ completion_tokens: 2, other: { stream_status: 'broken' } })
})

test('every requested choice is reserved for', async () => {
  upstream.scripts(MODEL, whole())
  const held = async (fields: object, quota: number) =>
    (
      await (
        await client({}, quota)
      ).postTo('/v1/completions', { model: MODEL, prompt: 'a', max_tokens: 1000, ...fields })
    ).status
  const one = 2000
  expect(await held({}, one)).toBe(200)
  expect(await held({ n: 10 }, one)).toBe(403)
  expect(await held({ best_of: 10 }, one)).toBe(403)
  expect(await held({ prompt: Array(10).fill('a') }, one)).toBe(403)
})

test.each([
  ['prompt', { prompt: undefined }],
  ['prompt', { prompt: [] }],
  ['prompt', { prompt: [[1.5]] }],
  ['n', { n: -1 }],
  ['n', { n: 129 }],
  ['best_of', { best_of: 0 }],
  ['best_of', { best_of: '3' }],
  ['max_tokens', { max_tokens: -1 }],
  ['max_tokens', { max_tokens: 2 ** 31 }],
  ['stream', { stream: 'true' }],
])('a wrong %s is refused', async (param, fields) => {
  const ann = await client()
  const response = await ann.postTo('/v1/completions', { model: MODEL, prompt: 'Tell', ...fields })
  expect(await errorOf(response)).toMatchObject({ status: 400, param })
  expect(await ann.balance()).toBe(RICH)
})
