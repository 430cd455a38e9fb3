// @engine sqlite
/** DashScope's jobs: pictures that are submitted, asked for and fetched. */
import { expect, test } from 'bun:test'
import { skipTime } from '../../src/process/clock.ts'
import { app } from '../support/app/app.ts'
import { setEnv } from '../support/env.ts'
import { quickPolls } from '../support/hurry.ts'
import { until } from '../support/until.ts'
import { DashScope, servedDashScope, task } from '../support/upstream/dashscope.ts'

type Json = Record<string, any>

const PAINTER = 'wan2.2-t2i-flash'
const { upstream, ann, billOf } = await servedDashScope([PAINTER], [PAINTER])
const SUBMIT = '/api/v1/services/aigc/text2image/image-synthesis'
const POLL = '/api/v1/tasks/job-1'
const pending = task({ task_id: 'job-1', task_status: 'PENDING' })
const running = task({ task_id: 'job-1', task_status: 'RUNNING' })
const finished = (results: Json[]) => task({ task_id: 'job-1', task_status: 'SUCCEEDED', results }, { image_count: 1 })
const draw = (fields: object = {}, init?: RequestInit) =>
  ann.postTo('/v1/images/generations', { model: PAINTER, prompt: 'A lighthouse', n: 2, ...fields }, init)
const failed = { code: 'InternalError.Timeout', message: 'no time' }

test('a job that makes one picture of two is billed for one, and its file arrives as base64', async () => {
  using _ = quickPolls()
  upstream.on(SUBMIT, () => pending)
  upstream.on(POLL, (_, earlier) => (earlier ? finished([failed, { url: upstream.fileUrl('/1.png') }]) : running))
  upstream.on('/1.png', () => new Response('picture', { headers: { 'content-type': 'image/png' } }))
  const response = await draw({ response_format: 'b64_json' })
  expect(((await response.json()) as Json).data).toEqual([{ b64_json: btoa('picture') }])
  expect(await billOf()).toMatchObject({ quota: 1000 })
  expect(upstream.to(SUBMIT)[0]!.headers.get('x-dashscope-async')).toBe('enable')
  expect(upstream.to(POLL).map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer sk-ali',
    'Bearer sk-ali',
  ])
  expect(upstream.fetched.map(({ headers }) => headers.get('authorization'))).toEqual([null])
})

test('a picture that cannot be fetched is not billed', async () => {
  using _ = quickPolls()
  upstream.on(SUBMIT, () => finished(['/1.png', '/2.png'].map(path => ({ url: upstream.fileUrl(path) }))))
  upstream.on('/1.png', () => new Response('gone', { status: 404 }))
  upstream.on('/2.png', () => new Response('picture'))
  expect(((await (await draw({ response_format: 'b64_json' })).json()) as Json).data).toEqual([
    { b64_json: btoa('picture') },
  ])
  expect(await billOf()).toMatchObject({ quota: 1000 })
})

const ends: [name: string, answers: (Json | Response)[], status: number, code: string][] = [
  ['makes nothing', [finished([failed, failed])], 504, 'InternalError.Timeout'],
  ['is cancelled', [task({ task_id: 'job-1', task_status: 'CANCELED' })], 502, 'CANCELED'],
  ['is unknown', [running, task({ task_id: 'job-1', task_status: 'UNKNOWN' })], 502, 'UNKNOWN'],
  [
    'cannot be found',
    [Response.json({ code: 'ResourceNotFound', message: 'gone' }, { status: 404 })],
    404,
    'ResourceNotFound',
  ],
  ['answers as a page', [new Response('<html>')], 502, '200'],
  ['finishes without a result', [task({ task_id: 'job-1', task_status: 'SUCCEEDED' })], 502, 'upstream_unusable'],
]
test.each(ends)('a job that %s is an error and free', async (_name, answers, status, code) => {
  using _ = quickPolls()
  const before = await ann.balance()
  upstream.on(SUBMIT, () => pending)
  upstream.on(POLL, (_call, earlier) => {
    const answer = answers[Math.min(earlier, answers.length - 1)]!
    return answer instanceof Response ? answer.clone() : answer
  })
  const response = await draw()
  expect([response.status, ((await response.json()) as Json).error.code]).toEqual([status, code])
  expect(await ann.balance()).toEqual(before)
})

test('a submission without an id is an error, a refused poll is tried again', async () => {
  using _ = quickPolls()
  upstream.on(SUBMIT, () => task({ task_status: 'PENDING' }))
  expect((await draw()).status).toBe(502)
  expect(upstream.calls.filter(({ method }) => method === 'GET')).toEqual([])
  upstream.on(SUBMIT, () => pending)
  const limited = Response.json({ code: 'Throttling', message: 'slow down' }, { status: 429 })
  // An answer may leave the id out.
  const answers = [limited, limited, task({ task_status: 'RUNNING' }), finished([{ url: 'https://a.example/1.png' }])]
  upstream.on(POLL, (_, earlier) => {
    const answer = answers[earlier]!
    return answer instanceof Response ? answer.clone() : answer
  })
  expect((await draw({ n: 1 })).status).toBe(200)
})

test('a job that never ends is given up after 120 s and free', async () => {
  using _ = quickPolls()
  const before = await ann.balance()
  upstream.on(SUBMIT, () => pending)
  upstream.on(POLL, (_, earlier) => {
    if (earlier === 2) skipTime(121)
    return running
  })
  const response = await draw()
  expect([response.status, ((await response.json()) as Json).error.code]).toEqual([504, 'upstream_timeout'])
  expect(upstream.to(POLL)).toHaveLength(3)
  expect(await ann.balance()).toEqual(before)
})

test('a picture at an address of the own network is never fetched', async () => {
  setEnv({ OUTBOUND_ALLOW: [] })
  // A host to which no connection is open from the tests before.
  const inside = new DashScope()
  const before = await ann.balance()
  upstream.on(SUBMIT, () => finished([{ url: inside.fileUrl('/1.png') }]))
  const response = await draw({ response_format: 'b64_json' })
  expect(response.status).toBe(502)
  expect(await response.text()).not.toContain('127.0.0.1')
  expect(inside.fetched).toEqual([])
  expect(await ann.balance()).toEqual(before)
})

/** Submits a job, and leaves once it has been asked for. */
async function leave() {
  const asked = upstream.to(POLL).length
  const leaving = new AbortController()
  const response = draw({}, { signal: leaving.signal }).catch(() => undefined)
  await until(() => upstream.to(POLL).length > asked)
  leaving.abort()
  await response
  await until(() => app.server!.pendingRequests === 0)
}

test('a job whose client leaves is asked for until its end, and billed for what it made', async () => {
  let hasLeft = false
  upstream.on(SUBMIT, () => pending)
  upstream.on(POLL, () => (hasLeft ? finished([failed, { url: 'https://a.example/1.png' }]) : running))
  const before = await ann.balance()
  await leave()
  expect(await ann.balance()).toBe(before)
  hasLeft = true
  expect(await until(async () => (await ann.balance()) < before && billOf())).toMatchObject({ quota: 1000 })
})

test('a job that does not end in time after its client has left is billed for all its pictures, and asked for no more', async () => {
  using _ = quickPolls()
  upstream.on(SUBMIT, () => pending)
  upstream.on(POLL, () => running)
  const before = await ann.balance()
  await leave()
  skipTime(10)
  expect(await until(async () => (await ann.balance()) < before && billOf())).toMatchObject({ quota: 2000 })
  const polls = upstream.to(POLL).length
  await Bun.sleep(100)
  expect(upstream.to(POLL)).toHaveLength(polls)
})
