/** The tool runner of Anthropic's SDK keeps conversations as threads: natively they go on, elsewhere it sends them whole. */
import { expect, test } from 'bun:test'
import { setPrice } from '../../support/app/prices.ts'
import { client } from '../../support/people/client.ts'
import { anthropicOf } from '../../support/people/sdk-clients.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'
import { keepingUpstream } from '../../support/upstream/keeping-upstream.ts'
import { startUpstream } from '../../support/upstream/served-channel.ts'

const [NATIVE, ELSEWHERE] = ['claude-opus-4-1', 'gpt-4o']
const maker = keepingUpstream()
for (const key of ['sk-one', 'sk-two']) await channelOf('anthropic', maker, { models: NATIVE, key })
const chat = await startUpstream()
await channelOf('openai-chat', chat, { models: ELSEWHERE })
await setPrice('ModelRatio', { [NATIVE]: 1, [ELSEWHERE]: 1 })
await setPrice('CompletionRatio', { [NATIVE]: 1, [ELSEWHERE]: 1 })

const choice = (message: object, finish_reason: string) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: ELSEWHERE },
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
})
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bonn"}' } }
chat.scripts(ELSEWHERE, ({ body }, answer) => {
  const answersTool = (body.messages as { role: string }[]).at(-1)!.role === 'tool'
  return answer.json(
    answersTool ? choice({ content: 'It rains.' }, 'stop') : choice({ tool_calls: [call] }, 'tool_calls'),
  )
})

async function run(model: string) {
  const ann = await client()
  const ran: unknown[] = []
  const runner = anthropicOf(ann).beta.messages.toolRunner({
    model,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'How is the weather?' }],
    tools: [
      {
        type: 'custom',
        name: 'weather',
        description: 'Weather of a city',
        input_schema: { type: 'object', properties: { city: { type: 'string' } } },
        parse: (input: unknown) => input as { city: string },
        run: (input: { city: string }) => {
          ran.push(input)
          return 'rain'
        },
      },
    ] as never,
  })
  const message = await runner.runUntilDone()
  expect(ran).toEqual([{ city: 'Bonn' }])
  expect(message.content).toMatchObject([{ type: 'text', text: 'It rains.' }])
  return ann
}

test('the tool runner goes on with its thread at the account that holds it', async () => {
  for (let round = 0; round < 6; round++) {
    maker.calls.length = 0
    await run(NATIVE)
    const [first, second] = maker.calls
    expect(first!.body).toMatchObject({ thread: { type: 'create' } })
    expect(second!.body).toMatchObject({ thread: { type: 'continue' } })
    expect(second!.body).not.toHaveProperty('tools')
    expect(second!.key).toBe(first!.key)
  }
})

test('the tool runner replays its conversation when the thread is lost', async () => {
  maker.calls.length = 0
  const { set } = maker.kept
  maker.kept.set = () => maker.kept
  try {
    await run(NATIVE)
  } finally {
    maker.kept.set = set
  }
  expect(maker.calls.length).toBeGreaterThan(2)
  expect(maker.calls.at(-1)!.body.messages).toHaveLength(3)
})

test('the tool runner sends its conversation whole to upstreams without threads', async () => {
  const ann = await run(ELSEWHERE)
  expect(chat.journal).toHaveLength(2)
  expect((chat.journal[1] as any).body.messages).toHaveLength(3)
  expect(await ann.balance()).toBe(50_000_000 - 220)
})
