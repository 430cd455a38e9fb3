// @engine sqlite
/** The limit of calls that one key has running at the same time. */
import { afterAll, expect, test } from 'bun:test'
import { Role } from '../../../src/contracts/account.ts'
import { setOption } from '../../support/app/options.ts'
import { Client, client, clientOf, MODEL, RICH } from '../../support/people/client.ts'
import { setUp, visitor } from '../../support/people/person.ts'
import { keyOf, play } from '../../support/people/playground.ts'
import { errorOf, readStream } from '../../support/people/responses.ts'
import { chat, gate } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
afterAll(() => setOption('KeyConcurrencyLimit', 1000))

test('a key has 1000 calls at the same time unless the option says otherwise', async () => {
  const { data } = await (await setUp()).get('/api/option/')
  expect(data.find(({ key }: { key: string }) => key === 'KeyConcurrencyLimit')).toMatchObject({ value: '1000' })
})

test('calls of one key beyond its limit are refused in the format of their endpoint, and its other keys go on', async () => {
  await setOption('KeyConcurrencyLimit', 2)
  const ann = await client()
  const other = await clientOf(ann.person)
  const held = gate()
  upstream.scripts(MODEL, held.script)
  const running = [await ann.stream(), await ann.stream()]

  const refused = await ann.chat()
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'too_many_at_once_by_key' })
  const inAnthropics = await ann.postTo('/v1/messages', { model: MODEL, max_tokens: 5, messages: [] })
  expect(await inAnthropics.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
  const inGoogles = await ann.postTo(`/v1beta/models/${MODEL}:generateContent`, { contents: [] })
  expect(await inGoogles.json()).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } })

  const beside = await other.stream()
  expect(beside.status).toBe(200)
  held.open()
  for (const stream of [...running, beside]) expect(await readStream(stream)).toMatchObject({ done: true })
  upstream.scripts(MODEL, chat())
  expect((await ann.chat()).status).toBe(200)
})

test.each([
  ['below that of the site', 2, 9],
  ['above that of the site', 9, 2],
  ['where the site has none', 2, 0],
] as const)('an own limit %s: the lower one decides, and the refusal names it', async (_, own, of_site) => {
  await setOption('KeyConcurrencyLimit', of_site)
  const ann = await client()
  const id = (await ann.person.get('/api/token/')).data[0].id
  expect(await ann.person.put('/api/token/', { id, concurrency_limit: own })).toMatchObject({ success: true })
  const held = gate()
  upstream.scripts(MODEL, held.script)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ann.stream()))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBe(18)
  expect(await errorOf(refused[0]!)).toMatchObject({
    code: 'too_many_at_once_by_key',
    message: expect.stringContaining('limit of 2 concurrent calls'),
  })
  held.open()
  for (const stream of answers.filter(({ ok }) => ok)) expect(await readStream(stream)).toMatchObject({ done: true })
  upstream.scripts(MODEL, chat())
})

test('0 is no limit, and calls of the playground have none by key', async () => {
  await setOption('KeyConcurrencyLimit', 1)
  const ann = await visitor(Role.user, RICH)
  const byKey = new Client(ann, await keyOf(ann))
  const held = gate()
  upstream.scripts(MODEL, held.script)
  const running = [await play(ann, { stream: true }), await play(ann, { stream: true }), await byKey.stream()]
  expect(running.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await byKey.chat()).status).toBe(429)
  await setOption('KeyConcurrencyLimit', 0)
  running.push(await byKey.stream())
  expect(running.at(-1)!.status).toBe(200)
  held.open()
  for (const stream of running) await readStream(stream)
})
