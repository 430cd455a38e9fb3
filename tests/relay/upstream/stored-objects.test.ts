/** What upstreams store belongs to the user who stored it, and to the channel and key that hold it; its length is reserved for. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'
import { keepingUpstream } from '../../support/upstream/keeping-upstream.ts'
import { maxOutputUpstream } from '../../support/upstream/max-output-upstream.ts'

const BALANCE = 200_000
const [OPENAI, CLAUDE, ELSEWHERE] = ['o3', 'claude-opus-4-1', 'gpt-4o']
const maker = keepingUpstream()
const chat = await maxOutputUpstream('openai-chat')
const channels = {
  response: await channelOf('openai-responses', maker, { models: `${OPENAI},sora`, key: 'sk-one,sk-two' }),
  other: await channelOf('openai-responses', maker, { models: OPENAI, key: 'sk-three' }),
  thread: await channelOf('anthropic', maker, { models: CLAUDE, key: 'sk-four,sk-five' }),
  second: await channelOf('anthropic', maker, { models: CLAUDE, key: 'sk-six' }),
}
await channelOf('openai-chat', chat, { models: ELSEWHERE })
const atOne = { [OPENAI]: 1, [CLAUDE]: 1, [ELSEWHERE]: 1 }
await setPrice('ModelRatio', atOne)
await setPrice('CompletionRatio', atOne)
await setOption('PreConsumedQuota', 0)
const root = await setUp()

let [ann, ben]: Client[] = []
beforeEach(async () => {
  ann = await client({}, BALANCE)
  ben = await client({}, BALANCE)
  Object.assign(maker.size, { prompt: 100, answer: 10 })
  maker.calls.length = 0
})

interface Way {
  make(who: Client, stream?: boolean): Promise<string>
  use(who: Client, id: string): Promise<Response>
  unknown(id: string): object
}

async function idOf(answer: Response): Promise<string> {
  expect(answer.status).toBe(200)
  const text = await answer.text()
  return /"id":"((?:resp|msg)_\w+)"/.exec(text)![1]!
}

const respond = (who: Client, fields: object) =>
  who.postTo('/v1/responses', { model: OPENAI, input: 'Go on.', max_output_tokens: 100, ...fields })
const write = (who: Client, fields: object) =>
  who.postTo('/v1/messages', { model: CLAUDE, max_tokens: 100, messages: [{ role: 'user', content: 'Go' }], ...fields })

const ways: Record<'response' | 'thread', Way> = {
  response: {
    make: async (who, stream = false) => idOf(await respond(who, { stream })),
    use: (who, id) => respond(who, { previous_response_id: id }),
    unknown: id => ({
      error: {
        message: expect.stringContaining(`Previous response with id '${id}' not found.`),
        ...{ type: 'invalid_request_error', code: 'previous_response_not_found', param: 'previous_response_id' },
      },
    }),
  },
  thread: {
    make: async (who, stream = false) => idOf(await write(who, { thread: { type: 'create' }, stream })),
    use: (who, id) => write(who, { thread: { type: 'continue', previous_message_id: id } }),
    unknown: () => ({
      type: 'error',
      error: expect.objectContaining({ type: 'invalid_request_error', details: { error_code: 'thread_not_found' } }),
    }),
  },
}
const kinds = Object.keys(ways) as (keyof typeof ways)[]

describe.each(kinds)('a stored %s', kind => {
  const { make, use, unknown } = ways[kind]

  test('goes on at the channel and key that made it', async () => {
    // Keys are drawn: 40 rounds miss one of three once in four million runs.
    for (let round = 0; round < 40; round++) {
      const id = await make(ann!)
      expect((await use(ann!, id)).status).toBe(200)
      const [made, used] = maker.calls.slice(-2)
      expect(used!.key).toBe(made!.key)
    }
    expect(new Set(maker.calls.map(({ key }) => key)).size).toBe(3)
  })

  test('is unknown to another user, as is an id that no call has made', async () => {
    const id = await make(ann!)
    const calls = maker.calls.length
    for (const [who, asked] of [
      [ben!, id],
      [ann!, `${id}_unseen`],
    ] as const) {
      const answer = await use(who, asked)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject(unknown(asked))
    }
    expect(maker.calls).toHaveLength(calls)
    expect(await ben!.balance()).toBe(BALANCE)
    expect((await use(ann!, id)).status).toBe(200)
  })

  test('is unknown once the channel that holds it is disabled', async () => {
    const [channel] = kind === 'response' ? [channels.other] : [channels.second]
    let id = await make(ann!)
    while (!['sk-three', 'sk-six'].includes(maker.calls.at(-1)!.key)) id = await make(ann!)
    await root.put('/api/channel/', { id: channel.id, status: 2 })
    expect(await (await use(ann!, id)).json()).toMatchObject(unknown(id))
    await root.put('/api/channel/', { id: channel.id, status: 1 })
    expect((await use(ann!, id)).status).toBe(200)
  })

  test('is reserved for as long as it was reported, however many go on at once', async () => {
    const long = 30_000
    const made: string[] = []
    maker.size.prompt = long
    for (let round = 0; round < 3; round++) made.push(await make(ann!))
    maker.size.prompt = 100
    const before = await ann!.balance()
    expect(before).toBeWithin(BALANCE - 3 * (long + 20), BALANCE)
    const answers = await Promise.all([...made, ...made, ...made].map(id => use(ann!, id)))
    const passed = answers.filter(({ status }) => status === 200).length
    expect(passed).toBeWithin(2, 4)
    for (const answer of answers) if (answer.status !== 200) expect(answer.status).toBe(403)
    expect(await ann!.balance()).toBeGreaterThanOrEqual(0)
  })

  test('passes from elsewhere where the channel says so', async () => {
    const id = kind === 'response' ? 'resp_elsewhere' : 'msg_elsewhere'
    const [channel, key] = kind === 'response' ? [channels.other, 'sk-three'] : [channels.second, 'sk-six']
    maker.kept.set(`${key} ${id}`, { tokens: 100_000, response: {} })
    await root.put('/api/channel/', { id: channel.id, setting: '{"allow_unknown_ids":true}' })
    for (const who of [ann!, ben!]) expect((await use(who, id)).status).toBe(200)
    // Now its length is known.
    const poor = await client({}, 60_000)
    expect((await use(poor, id)).status).toBe(403)
    await root.put('/api/channel/', { id: channel.id, setting: '' })
    expect(await (await use(ann!, id)).json()).toMatchObject(unknown(id))
  })
})

test('a long thread that goes on costs no more than was free', async () => {
  maker.size.prompt = 112_510
  const id = await ways.thread.make(ann!)
  const left = BALANCE - 112_520
  expect(await ann!.balance()).toBe(left)
  maker.size.prompt = 10
  const answer = await ways.thread.use(ann!, id)
  expect(answer.status).toBe(403)
  expect(await ann!.balance()).toBe(left)
})

test('a streamed response and thread are stored too, and what is not to be stored is unknown', async () => {
  for (const { make, use } of Object.values(ways)) {
    const id = await make(ann!, true)
    expect((await use(ann!, id)).status).toBe(200)
  }
  const unstored = await idOf(await respond(ann!, { store: false }))
  expect(await (await ways.response.use(ann!, unstored)).json()).toMatchObject(ways.response.unknown(unstored))
})

test('an id that stands where it is needed and where it is not is needed', async () => {
  const id = 'resp_unseen'
  const comparison = { prompt_cache_options: { comparison_response_id: id } }
  const answer = await respond(ann!, { ...comparison, previous_response_id: id })
  expect(await answer.json()).toMatchObject(ways.response.unknown(id))
  expect(maker.calls).toHaveLength(0)
  expect((await respond(ann!, comparison)).status).toBe(200)
})

test('a reference of another type is refused, so that none reaches an upstream unread', async () => {
  const id = await ways.response.make(ann!)
  const message = await ways.thread.make(ann!)
  const calls = maker.calls.length
  const chat = `/v1beta/models/${OPENAI}:generateContent`
  const contents = [{ parts: [{ text: 'Go' }] }]
  for (const answer of [
    await respond(ann!, { previous_response_id: [id] }),
    await respond(ann!, { conversation: [id] }),
    await respond(ann!, { prompt: { id: [id] } }),
    await ann!.postTo('/v1/responses/compact', { model: OPENAI, previous_response_id: [id] }),
    await ann!.postTo('/v1/responses/input_tokens', { model: OPENAI, previous_response_id: [id] }),
    await write(ann!, { thread: [{ type: 'continue', previous_message_id: message }] }),
    await write(ann!, { thread: { type: 'continue', previous_message_id: [message] } }),
    await ann!.postTo(chat, { contents, cachedContent: ['cachedContents/1'] }),
    await ann!.postTo(chat, { contents, cached_content: { name: 'cachedContents/1' } }),
  ])
    expect([answer.url, answer.status]).toEqual([answer.url, 400])
  expect(maker.calls).toHaveLength(calls)
})

test('a conversation, a prompt and a cached content are refused in the words of their makers', async () => {
  const errorOf = async (answer: Response) => ({ status: answer.status, ...((await answer.json()) as any).error })
  expect(await errorOf(await respond(ann!, { conversation: { id: 'conv_1' } }))).toMatchObject({
    ...{ status: 404, type: 'invalid_request_error' },
    message: expect.stringContaining("Conversation with id 'conv_1' not found."),
  })
  expect(await errorOf(await respond(ann!, { prompt: { id: 'pmpt_1' } }))).toMatchObject({ status: 404 })
  const cached = { contents: [{ parts: [{ text: 'Go' }] }], cachedContent: 'cachedContents/1' }
  const answer = await ann!.postTo(`/v1beta/models/${ELSEWHERE}:generateContent`, cached)
  expect(await errorOf(answer)).toMatchObject({ code: 403, status: 'PERMISSION_DENIED' })
  expect(maker.calls).toHaveLength(0)
})

test('other formats refuse what they cannot hold, so that the client sends it whole', async () => {
  const created = await write(ann!, { model: ELSEWHERE, thread: { type: 'create' } })
  expect(created.status).toBe(400)
  expect(await created.json()).toMatchObject({
    error: { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
  })
  const continued = await write(ann!, {
    model: ELSEWHERE,
    thread: { type: 'continue', previous_message_id: 'msg_1' },
    messages: [],
  })
  expect(continued.status).toBe(400)
  expect(await continued.json()).toMatchObject({ error: { details: { error_code: 'thread_not_found' } } })
  const responded = await respond(ann!, { model: ELSEWHERE, previous_response_id: 'resp_1' })
  expect(responded.status).toBe(400)
  expect(await responded.json()).toMatchObject({ error: { code: 'previous_response_not_found' } })
  expect(await ann!.balance()).toBe(BALANCE)
})
