/** Responses by their id: fetched, listed, deleted and counted at the upstream that made them, for their maker alone. */
import { beforeEach, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client } from '../../support/people/client.ts'
import { openAiOf } from '../../support/people/openai-client.ts'
import { setUp } from '../../support/people/person.ts'
import { errorOf } from '../../support/people/responses.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'
import { keepingUpstream } from '../../support/upstream/keeping-upstream.ts'
import { maxOutputUpstream } from '../../support/upstream/max-output-upstream.ts'
import { channelTo } from '../../support/upstream/served-channel.ts'

const [OPENAI, ELSEWHERE, AZURE, LOOP] = ['o3', 'gpt-4o', 'gpt-5', 'loop']
const maker = keepingUpstream()
const channelFor = (key: string) => channelOf('openai-responses', maker, { models: OPENAI, key })
const [single, double] = [await channelFor('sk-one'), await channelFor('sk-two,sk-three')]
await channelOf('openai-chat', await maxOutputUpstream('openai-chat'), { models: ELSEWHERE })
await setPrice('ModelRatio', { [OPENAI]: 1, [ELSEWHERE]: 1, [AZURE]: 1, [LOOP]: 1 })
await setPrice('CompletionRatio', { [OPENAI]: 1, [ELSEWHERE]: 1 })

const root = await setUp()
let [ann, ben]: Client[] = []
beforeEach(async () => {
  ann = await client()
  ben = await client()
  maker.calls.length = 0
})

const remove = (who: Client, id: string) => who.postTo(`/v1/responses/${id}`, '', { method: 'DELETE' })

test('a response is fetched, listed and deleted with the key that made it', async () => {
  const sdk = openAiOf(ann!)
  for (let round = 0; round < 6; round++) {
    const made = await sdk.responses.create({ model: OPENAI, input: 'Go' })
    const { key } = maker.calls.at(-1)!
    const before = await ann!.balance()
    expect(await sdk.responses.retrieve(made.id)).toMatchObject({ id: made.id, output: made.output })
    expect(await sdk.responses.inputItems.list(made.id, { limit: 3 })).toMatchObject({
      data: [{ id: `msg_in_${made.id}`, query: '?limit=3' }],
    })
    expect(await errorOf(await ann!.postTo(`/v1/responses/${made.id}/cancel`, {}))).toMatchObject({
      status: 400,
      message: expect.stringContaining('Only responses in the background'),
    })
    await sdk.responses.delete(made.id)
    expect(maker.calls.slice(-4).map(call => [call.method, call.key])).toEqual([
      ['GET', key],
      ['GET', key],
      ['POST', key],
      ['DELETE', key],
    ])
    expect(await errorOf(await ann!.get(`/v1/responses/${made.id}`))).toMatchObject({ status: 404 })
    expect(await ann!.balance()).toBe(before)
  }
})

test('an item of the input belongs to its user once the maker has listed it', async () => {
  const made = await openAiOf(ann!).responses.create({ model: OPENAI, input: 'Go' })
  const refer = (who: Client) =>
    who.postTo('/v1/responses', { model: OPENAI, input: [{ type: 'item_reference', id: `msg_in_${made.id}` }] })
  expect((await refer(ann!)).status).toBe(404)
  await ann!.get(`/v1/responses/${made.id}/input_items`)
  expect([(await refer(ann!)).status, (await refer(ben!)).status]).toEqual([200, 404])
})

test('a response of another user is not found, in the words for one that does not exist', async () => {
  const made = await openAiOf(ann!).responses.create({ model: OPENAI, input: 'Go' })
  maker.calls.length = 0
  for (const id of [made.id, 'resp_unseen', '%00', 'resp_%00%FF', '%2e%2e%2fmodels', '🙂']) {
    const answers = [
      await ben!.get(`/v1/responses/${id}`),
      await ben!.get(`/v1/responses/${id}?stream=true`),
      await ben!.get(`/v1/responses/${id}/input_items`),
      await ben!.postTo(`/v1/responses/${id}/cancel`, {}),
      await remove(ben!, id),
    ]
    for (const answer of answers)
      expect(await errorOf(answer)).toMatchObject({
        ...{ status: 404, type: 'invalid_request_error', param: null },
        message: expect.stringMatching(/^Response with id '.+' not found\./s),
      })
  }
  expect(maker.calls).toEqual([])
  expect((await ann!.get(`/v1/responses/${made.id}`)).status).toBe(200)
})

test('a response is not found while the channel or the key that holds it is disabled', async () => {
  const made: Record<string, string> = {}
  while (!made['sk-one'] || !made['sk-two'] || !made['sk-three']) {
    const { id } = await openAiOf(ann!).responses.create({ model: OPENAI, input: 'Go' })
    made[maker.calls.at(-1)!.key] = id
  }
  const found = async () => {
    const answers = Object.entries(made).map(async ([key, id]) => {
      const [whole, items] = [await ann!.get(`/v1/responses/${id}`), await ann!.get(`/v1/responses/${id}/input_items`)]
      expect(items.status).toBe(whole.status)
      return whole.status === 200 ? key : []
    })
    return (await Promise.all(answers)).flat().sort()
  }
  const switchKey = async (status: number) => {
    const { keys } = (await root.get(`/api/channel/${double.id}`)).data
    await root.form(`/admin/channels/${double.id}/keys`, { turn: `${keys[0].id} ${status}`, returnTo: '/' })
  }
  await root.put('/api/channel/', { id: single.id, status: 2 })
  expect(await found()).toEqual(['sk-three', 'sk-two'])
  await switchKey(2)
  expect(await found()).toEqual(['sk-three'])
  await switchKey(1)
  await root.put('/api/channel/', { id: single.id, status: 1 })
  expect(await found()).toEqual(['sk-one', 'sk-three', 'sk-two'])
})

test('tokens of an input are counted by the maker, and here for any other upstream', async () => {
  const sdk = openAiOf(ann!)
  const before = await ann!.balance()
  expect(await sdk.responses.inputTokens.count({ model: OPENAI, input: 'Go' })).toMatchObject({ input_tokens: 1234 })
  const elsewhere = await sdk.responses.inputTokens.count({ model: ELSEWHERE, input: 'one two three four five' })
  expect(elsewhere.input_tokens).toBeWithin(5, 20)
  expect(await errorOf(await ann!.postTo('/v1/responses/input_tokens', { input: 'Go' }))).toMatchObject({ status: 400 })
  expect(await ann!.balance()).toBe(before)
  expect(maker.calls.map(({ path }) => path)).toEqual(['/v1/responses/input_tokens'])
})

test('a count waits behind the limits of the key, and the words that the operator forbids', async () => {
  const limited = await client({ rate_limit_enabled: true, rate_limit_count: 2, rate_limit_period: 60 })
  const count = (who: Client, input: string) => who.postTo('/v1/responses/input_tokens', { model: OPENAI, input })
  const statuses = [await count(limited, 'Go'), await count(limited, 'Go'), await count(limited, 'Go')]
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
  await setOption('CheckSensitiveEnabled', true)
  await setOption('SensitiveWords', 'forbidden')
  expect(await errorOf(await count(ann!, 'A forbidden word'))).toMatchObject({ code: 'sensitive_words_detected' })
  expect((await count(ann!, 'A word')).status).toBe(200)
  await setOption('SensitiveWords', '')
  expect(maker.calls).toHaveLength(3)
})

test('a count in a loop of gateways ends', async () => {
  const self = await client()
  await channelOf('openai-responses', self, { models: LOOP, key: `sk-${self.key}` })
  const counted = await ann!.postTo('/v1/responses/input_tokens', { model: LOOP, input: 'one two three' })
  expect(((await counted.json()) as any).input_tokens).toBeWithin(3, 20)
})

test('a query reaches the maker without the key, and without another value for what the channel sets', async () => {
  await channelTo(maker.url, { type: 3, models: AZURE, key: 'sk-azure' })
  const { id } = (await (await ann!.postTo('/v1/responses', { model: AZURE, input: 'Go' })).json()) as any
  const query = `api-version=2024-10-21&include[]=one&include[]=two&key=sk-${ann!.key}`
  expect((await ann!.get(`/v1/responses/${id}?${query}`)).status).toBe(200)
  const sent = new URLSearchParams(maker.calls.at(-1)!.query)
  expect([...sent]).toEqual([
    ['api-version', 'preview'],
    ['include[]', 'one'],
    ['include[]', 'two'],
  ])
})

test('a compaction is billed by its report, and is not found at other upstreams', async () => {
  const sdk = openAiOf(ann!)
  const before = await ann!.balance()
  const compacted = await sdk.responses.compact({ model: OPENAI, input: 'Long' } as any)
  expect(compacted).toMatchObject({ object: 'response.compaction', usage: { input_tokens: 5000 } })
  expect(before - (await ann!.balance())).toBe(5050)
  expect(maker.calls.at(-1)).toMatchObject({ path: '/v1/responses/compact', body: { model: OPENAI, input: 'Long' } })
  expect(maker.calls.at(-1)!.body).not.toHaveProperty('max_output_tokens')
  expect((await logsOf(ann!.person))[0]).toMatchObject({ prompt_tokens: 5000, completion_tokens: 50 })
  const elsewhere = await ann!.postTo('/v1/responses/compact', { model: ELSEWHERE, input: 'Long' })
  expect(await errorOf(elsewhere)).toMatchObject({
    ...{ status: 404, type: 'invalid_request_error' },
    message: expect.stringContaining('POST /v1/responses/compact'),
  })
  const foreign = await openAiOf(ben!).responses.create({ model: OPENAI, input: 'Go' })
  const stolen = { model: OPENAI, previous_response_id: foreign.id }
  expect(await errorOf(await ann!.postTo('/v1/responses/compact', stolen))).toMatchObject({
    code: 'previous_response_not_found',
  })
})
