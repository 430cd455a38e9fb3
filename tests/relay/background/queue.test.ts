/** Many responses in the background at once: a node reads some, and the others wait in a queue that clients can see. */
import { beforeEach, expect, test } from 'bun:test'
import { TokenStatus } from '../../../src/contracts/token.ts'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import { BACKGROUND_READ_MAX } from '../../../src/relay/background/turns.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { until } from '../../support/until.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'
import { keepingUpstream } from '../../support/upstream/keeping-upstream.ts'

const MODEL = 'o3'
/** Tokens of each prompt and answer, at 1 quota each. */
const COST = 110
const WAITING = 12
const maker = keepingUpstream()
await channelOf('openai-responses', maker, { models: MODEL })
await setPrice('ModelRatio', { [MODEL]: 1 })
await setPrice('CompletionRatio', { [MODEL]: 1 })

type Found = { id: string; status: string; output: any[]; error: any }

const ask = (who: Client, fields: object = {}) =>
  who.postTo('/v1/responses', { model: MODEL, input: 'Go', max_output_tokens: 10, background: true, ...fields })
const begin = async (who: Client, fields: object = {}): Promise<string> => {
  const answer = await ask(who, fields)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as Found).id
}
const beginAll = (who: Client, count: number) => Promise.all(Array.from({ length: count }, () => begin(who)))
const fetched = async (who: Client, id: string): Promise<Found> => (await who.get(`/v1/responses/${id}`)).json()
const ended = (who: Client, id: string) =>
  until(async () => {
    const found = await fetched(who, id)
    return ['queued', 'in_progress'].includes(found.status) ? undefined : found
  })
const answered = () => maker.calls.filter(({ method }) => method === 'POST').length

let ann: Client
let ben: Client
let release: () => void
let releaseLast: () => void
let read: string[]
/** Every place is taken by a response of Ann's that goes on when `release` is called, the last by `releaseLast`. */
beforeEach(async () => {
  ;[ann, ben] = await Promise.all([client(), client()])
  const releaseFirst = maker.holdStreams()
  maker.calls.length = 0
  read = await beginAll(ann, BACKGROUND_READ_MAX - 1)
  await until(() => answered() === BACKGROUND_READ_MAX - 1)
  releaseLast = maker.holdStreams()
  read.push(await begin(ann))
  await until(() => answered() === BACKGROUND_READ_MAX)
  release = () => {
    releaseFirst()
    releaseLast()
  }
})

test('a response that waits is queued, reaches no upstream, and is whole and paid once in the end', async () => {
  const waiting = await beginAll(ben, WAITING)
  for (const id of waiting) expect(await fetched(ben, id)).toMatchObject({ id, status: 'queued', output: [] })
  expect(await fetched(ann, read[0]!)).toMatchObject({ status: 'in_progress' })
  expect(answered()).toBe(BACKGROUND_READ_MAX)
  release()
  for (const id of read) expect(await ended(ann, id)).toMatchObject({ id, status: 'completed' })
  for (const id of waiting) expect((await ended(ben, id)).output[0].content[0].text).toHaveLength(10)
  expect(answered()).toBe(BACKGROUND_READ_MAX + WAITING)
  expect(await until(async () => ((await ben.balance()) === RICH - WAITING * COST ? 'paid once' : ''))).toBe(
    'paid once',
  )
  expect(await logsOf(ben.person)).toHaveLength(WAITING)
  expect((await auditWallets()).difference).toBeUndefined()
})

test('the client of a queued stream knows its id at once, and gets one run of numbers', async () => {
  const stream = await ask(ben, { stream: true })
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('event: response.queued')) text += (await reader.read()).value
  release()
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  const events = text
    .split('\n\n')
    .flatMap(event => (event ? JSON.parse(event.slice(event.indexOf('data: ') + 6)) : []))
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at))
  const types = events.map(({ type }) => type)
  expect(types.slice(0, 3)).toEqual(['response.created', 'response.queued', 'response.in_progress'])
  expect(types.filter(type => type === 'response.created')).toHaveLength(1)
  expect(events[0].response).toMatchObject({ status: 'queued', background: true })
  expect(new Set(events.flatMap(({ response }) => response?.id ?? []))).toEqual(new Set([events[0].response.id]))
  expect(types.at(-1)).toBe('response.completed')
})

test('a queued response is cancelled before it costs anything, and what it held is free', async () => {
  const poor = await client({}, 600)
  const id = await begin(poor)
  expect((await ask(poor)).status).toBe(403)
  const cancelled = await poor.postTo(`/v1/responses/${id}/cancel`, {})
  expect(await cancelled.json()).toMatchObject({ id, status: 'cancelled' })
  const next = await until(async () => {
    const answer = await ask(poor)
    return answer.status === 200 ? ((await answer.json()) as Found).id : undefined
  })
  release()
  expect(await ended(poor, next)).toMatchObject({ status: 'completed' })
  expect(await fetched(poor, id)).toMatchObject({ status: 'cancelled', output: [] })
  expect(await poor.balance()).toBe(600 - COST)
  for (const id of read) await ended(ann, id)
  expect(answered()).toBe(BACKGROUND_READ_MAX + 1)
})

test('a user with many waiting responses does not keep those of others waiting', async () => {
  const many = await beginAll(ann, WAITING)
  const one = await begin(ben, { input: 'Of Ben' })
  const releaseNext = maker.holdStreams()
  releaseLast()
  await until(() => answered() === BACKGROUND_READ_MAX + 1)
  expect(maker.calls.at(-1)!.body.input).toBe('Go')
  const releaseOther = maker.holdStreams()
  releaseNext()
  await until(() => answered() === BACKGROUND_READ_MAX + 2)
  expect(maker.calls.at(-1)!.body.input).toBe('Of Ben')
  release()
  releaseOther()
  for (const id of [...read, ...many]) await ended(ann, id)
  expect(await ended(ben, one)).toMatchObject({ status: 'completed' })
})

test('a key that is disabled meanwhile calls no upstream, and its stream tells the failure', async () => {
  const id = await begin(ben)
  const stream = (await ask(ben, { stream: true })).text()
  const [token] = (await ben.person.get('/api/token/')).data
  await ben.person.put('/api/token/?status_only=true', { id: token.id, status: TokenStatus.disabled })
  release()
  for (const one of read) await ended(ann, one)
  await until(async () => answered() >= BACKGROUND_READ_MAX)
  await ben.person.put('/api/token/?status_only=true', { id: token.id, status: TokenStatus.enabled })
  expect(await ended(ben, id)).toMatchObject({ status: 'failed', error: { message: expect.any(String) } })
  expect(await stream).toContain('event: response.failed')
  expect(answered()).toBe(BACKGROUND_READ_MAX)
  expect(await ben.balance()).toBe(RICH)
})
