/** Bills of realtime sessions that end early: what the upstream reports is charged, whenever the client leaves. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { dial, REALTIME_MODEL as MODEL } from '../../support/people/realtime-client.ts'
import { until } from '../../support/until.ts'
import { type ModelUsage, sum } from '../../support/upstream/realtime-conversation.ts'
import { type ModelAnswer, realtimeModel } from '../../support/upstream/realtime-model.ts'
import { channelTo } from '../../support/upstream/served-channel.ts'

const upstream = realtimeModel()
afterAll(() => upstream.stop())
await channelTo(upstream.url, { models: MODEL })

afterEach(() => setOption('SettleAfterLeave', 10))
beforeEach(() => answer({ words: 5 }))

function answer(...answers: ModelAnswer[]) {
  upstream.answers.splice(0, upstream.answers.length, ...answers)
}

/** At the built-in prices: 2.5 a token, cached half of it, output four times, sound eight, spoken sound sixteen times. */
function quotaOf(usages: ModelUsage[]): number {
  const used = usages.reduce(sum)
  const cached = used.cached_text + used.cached_audio
  const audio = used.audio_in - used.cached_audio
  const read = used.text_in - used.cached_text + used.image_in
  return Math.round((read + cached * 0.5 + audio * 8 + used.text_out * 4 + used.audio_out * 16) * 2.5)
}

const text = (count: number) => 'word '.repeat(count)
const sound = (seconds: number, byte = 1) => Buffer.alloc(seconds * 48_000, byte).toString('base64')
const said = (...content: object[]) => item({ type: 'message', role: 'user', content })
const item = (added: object) => ({ type: 'conversation.item.create', item: added })
const update = (session: object) => ({ type: 'session.update', session: { type: 'realtime', ...session } })
const respond = { type: 'response.create' }

const items: [kind: string, ...events: object[]][] = [
  ['text', said({ type: 'input_text', text: text(2000) })],
  ['instructions', update({ instructions: text(2000) })],
  ['instructions of one response', { type: 'response.create', response: { instructions: text(2000) } }],
  ['the output of a function', item({ type: 'function_call_output', call_id: 'call_1', output: text(2000) })],
  ['a call of a function', item({ type: 'function_call', call_id: 'call_1', name: 'find', arguments: text(2000) })],
  ['an item of sound', said({ type: 'input_audio', audio: sound(20) })],
  ['a transcript', said({ type: 'input_audio', transcript: text(2000) })],
  [
    'sound of the buffer',
    { type: 'input_audio_buffer.append', audio: sound(20) },
    { type: 'input_audio_buffer.commit' },
  ],
  ['pictures', said(...Array(3).fill({ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }))],
]

const isRequest = ({ type }: { type?: string }) => type === 'response.create'

/** A session with a turn whose upstream waits. @returns when the upstream has the turn */
async function begin(ann: Client, events: object[]) {
  const call = await dial(ann)
  await call.seen('session.created')
  for (const event of events) call.say(event)
  if (!events.some(isRequest)) call.say(respond)
  const session = upstream.sessions.at(-1)!
  await until(() => session.running > 0)
  return { call, session }
}

const entryOf = (ann: Client) => until(async () => (await logsOf(ann.person))[0])

test.each(items)('%s is billed as reported when the client leaves before the first word', async (_, ...events) => {
  const start = Promise.withResolvers<void>()
  answer({ words: 5, tenths: 3, start: start.promise })
  const ann = await client()
  const { call, session } = await begin(ann, events)
  call.socket.close()
  await call.closed
  start.resolve()
  const entry = await entryOf(ann)
  expect(session.billed).toHaveLength(1)
  expect(entry).toMatchObject({ quota: quotaOf(session.billed), other: { stream_status: 'abandoned', partial: true } })
  expect(entry.other.counted_locally).toBeUndefined()
  expect(await ann.balance()).toBe(RICH - entry.quota)
  await until(() => session.closed)
})

test.each(items)('%s is billed by its estimate when no report comes', async (_, ...events) => {
  await setOption('SettleAfterLeave', 0)
  answer({ words: 5, report: new Promise(() => {}) })
  const ann = await client()
  const { call, session } = await begin(ann, events)
  await call.seen('response.output_text.delta', 5)
  call.socket.close()
  const entry = await entryOf(ann)
  await until(() => session.closed)
  expect(entry.other).toMatchObject({ stream_status: 'abandoned', counted_locally: true })
  expect(entry.quota).toBeGreaterThanOrEqual(quotaOf(session.billed))
  expect(entry.quota).toBeLessThanOrEqual(quotaOf(session.billed) * 1.02 + 100)
})

test.each(items)('%s is billed as reported when the client leaves before the report', async (_, ...events) => {
  const report = Promise.withResolvers<void>()
  answer({ words: 5, report: report.promise })
  const ann = await client()
  const { call, session } = await begin(ann, events)
  await call.seen('response.output_text.delta', 5)
  call.socket.close()
  await call.closed
  report.resolve()
  expect((await entryOf(ann)).quota).toBe(quotaOf(session.billed))
})

test('the context of three turns is billed again with a fourth one that is never reported', async () => {
  const ann = await client()
  const call = await dial(ann)
  const session = upstream.sessions.at(-1)!
  answer({ tenths: 30 }, { words: 100 }, { words: 10 }, { report: new Promise(() => {}) })
  for (let turn = 1; turn <= 3; turn++) {
    call.say(said({ type: 'input_text', text: text(500) }, { type: 'input_audio', audio: sound(2) }))
    call.say(respond)
    await call.seen('response.done', turn)
  }
  await setOption('SettleAfterLeave', 0)
  call.say(said({ type: 'input_text', text: text(10) }))
  call.say(respond)
  await until(() => session.running > 0)
  call.socket.close()
  const entry = await entryOf(ann)
  await until(() => session.closed)
  const [fourth] = session.billed.slice(-1)
  expect(fourth).toMatchObject({ text_in: 1650, audio_in: 120 })
  expect(entry.quota).toBeGreaterThanOrEqual(quotaOf(session.billed))
  // The fourth prompt counts as one that is not in the cache.
  const uncached = { ...fourth!, cached_text: 0, cached_audio: 0 }
  expect(entry.quota).toBeLessThanOrEqual(quotaOf([...session.billed.slice(0, 3), uncached]) * 1.02)
})

test('a turn that the end of speech starts is billed as reported when the client leaves before its first word', async () => {
  const start = Promise.withResolvers<void>()
  answer({ words: 5, start: start.promise })
  const ann = await client()
  const call = await dial(ann)
  const session = upstream.sessions.at(-1)!
  call.say(update({ audio: { input: { turn_detection: { type: 'server_vad' } } } }))
  await call.seen('session.updated')
  for (const byte of [0, 0, 1, 1, 0]) call.say({ type: 'input_audio_buffer.append', audio: sound(1, byte) })
  await call.seen('response.created')
  call.socket.close()
  await call.closed
  start.resolve()
  expect((await entryOf(ann)).quota).toBe(quotaOf(session.billed))
  expect(session.billed).toMatchObject([{ audio_in: 20, text_out: 5 }])
})

test('speech without a report is billed without the silence before it', async () => {
  await setOption('SettleAfterLeave', 0)
  answer({ start: new Promise(() => {}) })
  const ann = await client()
  const call = await dial(ann)
  call.say(update({ audio: { input: { turn_detection: { type: 'server_vad' } } } }))
  await call.seen('session.updated')
  for (const byte of [0, 0, 0, 1, 0]) call.say({ type: 'input_audio_buffer.append', audio: sound(1, byte) })
  await call.seen('input_audio_buffer.speech_stopped')
  call.socket.close()
  expect((await entryOf(ann)).other).toMatchObject({ audio_input: 10, stream_status: 'abandoned' })
})

test('transcripts are billed as reported', async () => {
  const ann = await client()
  const call = await dial(ann)
  const session = upstream.sessions.at(-1)!
  call.say(update({ audio: { input: { transcription: { model: 'gpt-4o-transcribe' } } } }))
  call.say({ type: 'input_audio_buffer.append', audio: sound(3) })
  call.say({ type: 'input_audio_buffer.commit' })
  await call.seen('conversation.item.input_audio_transcription.completed')
  call.socket.close()
  expect(await entryOf(ann)).toMatchObject({ quota: quotaOf(session.billed), other: { stream_status: 'finished' } })
  expect(session.billed).toMatchObject([{ audio_in: 30, text_out: 2 }])
})

test('responses apart from the conversation are billed each, beside the running one', async () => {
  const report = Promise.withResolvers<void>()
  answer({ words: 5, report: report.promise })
  const ann = await client()
  const call = await dial(ann)
  const session = upstream.sessions.at(-1)!
  call.say(said({ type: 'input_text', text: text(1000) }))
  const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: text(300) }] }]
  call.say(respond)
  call.say({ type: 'response.create', response: { conversation: 'none', input } })
  call.say({
    type: 'response.create',
    response: { conversation: 'none', input: [{ type: 'item_reference', id: 'item_0' }] },
  })
  await until(() => session.running === 3)
  call.socket.close()
  await call.closed
  report.resolve()
  expect((await entryOf(ann)).quota).toBe(quotaOf(session.billed))
  expect(session.billed.map(({ text_in }) => text_in)).toEqual([1000, 300, 1000])
})

test('a response that the upstream refuses is not billed', async () => {
  const report = Promise.withResolvers<void>()
  answer({ words: 5, report: report.promise })
  const ann = await client()
  const { call, session } = await begin(ann, [said({ type: 'input_text', text: text(1000) })])
  call.say(respond)
  await call.seen('error')
  report.resolve()
  await call.seen('response.done')
  call.socket.close()
  expect(await entryOf(ann)).toMatchObject({ quota: quotaOf(session.billed), other: { stream_status: 'finished' } })
})

test('a turn whose context the balance cannot pay is not asked for, and ends the session', async () => {
  const ann = await client({}, 60_000)
  const call = await dial(ann)
  const session = upstream.sessions.at(-1)!
  call.say(said({ type: 'input_text', text: text(15_000) }))
  call.say(respond)
  await call.seen('response.done')
  call.say(said({ type: 'input_text', text: text(1000) }))
  call.say(respond)
  expect(await call.closed).toBe(1008)
  expect(call.events.at(-1)).toMatchObject({ error: { code: 'insufficient_user_quota' } })
  expect((await entryOf(ann)).quota).toBe(quotaOf(session.billed))
  expect(session.events.filter(isRequest)).toHaveLength(1)
  expect(await ann.balance()).toBeGreaterThan(0)
})

test('a token that is emptied by its owner ends the session at the next turn', async () => {
  const ann = await client({ unlimited_quota: false, remain_quota: 1_000_000 })
  const call = await dial(ann)
  const session = upstream.sessions.at(-1)!
  call.say(respond)
  await call.seen('response.done')
  const { id } = (await ann.person.get('/api/token/')).data[0]
  await ann.person.put('/api/token/', { id, remain_quota: 0 })
  call.say(said({ type: 'input_text', text: text(15_000) }))
  call.say(respond)
  expect(await call.closed).toBe(1008)
  expect((await entryOf(ann)).quota).toBe(quotaOf(session.billed))
})

test('a channel whose setting cancels on leaving bills a left turn at once', async () => {
  const setting = JSON.stringify({ cancel_on_leave: true })
  const model = 'gpt-4o-mini-realtime-preview'
  await channelTo(upstream.url, { models: model, setting })
  answer({ report: new Promise(() => {}) })
  const ann = await client()
  const call = await dial(ann, `/v1/realtime?model=${model}`)
  const session = upstream.sessions.at(-1)!
  call.say(said({ type: 'input_text', text: text(1000) }))
  call.say(respond)
  await until(() => session.running > 0)
  call.socket.close()
  expect((await entryOf(ann)).other).toMatchObject({ stream_status: 'abandoned', counted_locally: true })
})

/** Four turns of every kind, each asked for when the one before is over. */
const turns = [
  [said({ type: 'input_text', text: text(300) })],
  [item({ type: 'function_call_output', call_id: 'call_1', output: text(200) })],
  [said({ type: 'input_audio', audio: sound(2) }, { type: 'input_image', image_url: 'https://example.com/a.png' })],
  [{ type: 'input_audio_buffer.append', audio: sound(1) }, { type: 'input_audio_buffer.commit' }],
]

/** @returns what is charged, and what the upstream bills, when the client leaves after `count` events */
async function leaveAfter(ann: Client, count: number) {
  answer({ words: 6 }, { tenths: 4 }, { words: 3, tenths: 2 }, { words: 16 })
  const before = await ann.balance()
  const call = await dial(ann)
  const session = upstream.sessions.at(-1)!
  let [seen, done] = [0, 0]
  const ask = () => [...(turns[done++] ?? []), respond].slice(0, done > turns.length ? 0 : undefined).forEach(call.say)
  const left = Promise.withResolvers<void>()
  const read = ({ type }: { type: string }) => {
    if (++seen > count) return
    if (type === 'session.created' || type === 'response.done') ask()
    if (seen === count) left.resolve(call.socket.close())
  }
  for (const event of call.events) read(event)
  call.socket.onmessage = ({ data }) => read(JSON.parse(String(data)))
  await left.promise
  await until(async () => session.closed && (await ann.person.get('/api/log/self')).data.total === count)
  const billed = session.billed.length ? quotaOf(session.billed) : 0
  return { charged: before - (await ann.balance()), billed }
}

test('50 moments of leaving are each billed as reported', async () => {
  const ann = await client()
  for (let count = 1; count <= 50; count++) {
    const { charged, billed } = await leaveAfter(ann, count)
    expect({ count, charged }).toEqual({ count, charged: billed })
  }
})
