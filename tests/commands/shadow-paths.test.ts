/** Every path that is paid for, in the shadow of another gateway: it has the price that it would have here. */
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShadowReport } from '../../src/contracts/shadow.ts'
import { now } from '../../src/process/clock.ts'
import { apiRoutes } from '../../src/relay/endpoints/table.ts'
import { isOfThisSite } from '../../src/relay/request/api-language.ts'
import { setUpInstallation, startAt } from '../support/app/installation.ts'
import { newFolder, run } from '../support/app/server.ts'
import { setOption } from '../support/app/site.ts'
import { bcrypt, fileOf } from '../support/moving-in/house.ts'
import { moved, rowsOf } from '../support/moving-in/moved.ts'
import type { Row } from '../support/moving-in/schemas.ts'
import { MODEL, PAID, type PaidCall, RATIOS, TASK_PRICES, TOKENS } from '../support/shadow/paid-paths.ts'
import { until } from '../support/until.ts'

/** What has no price, and why. */
const UNPRICED: Record<string, string> = {
  '/v1/realtime': 'WebSockets are refused with 501',
  '/v1/videos/:id/remix': 'what it costs follows from a video that the old gateway alone knows',
}

const person = { id: 2, username: 'ann', group: 'vip', key: 'A'.repeat(48) }
const VIP_RATIO = 2
const QUOTA_PER_USD = 500_000
const ID = 'x-oneapi-request-id'

let answer: PaidCall['answer'] = {}
let status = 200
let answered = 0
const old = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  async fetch(request) {
    await request.bytes()
    const headers = { [ID]: `call-${answered++}` }
    return typeof answer === 'string' ? new Response(answer, { headers }) : Response.json(answer, { status, headers })
  },
})
afterAll(() => old.stop(true))

const house = (logs: Row[]) => {
  const { key, ...user } = person
  const ratios = JSON.stringify(RATIOS)
  return fileOf('new-api', {
    users: [
      { ...user, status: 1, role: 1, quota: 9, password: bcrypt('12345678'), email: '', inviter_id: 0, aff_code: 'A' },
    ],
    tokens: [
      { id: 2, user_id: 2, key, status: 1, name: 'key', expired_time: -1, remain_quota: 0, unlimited_quota: true },
    ],
    channels: [
      {
        ...{ id: 1, type: 50, name: 'kling', key: 'ak|sk', status: 1, models: 'kling-v2-6', group: 'vip', weight: 0 },
        ...{ priority: 0, base_url: 'http://127.0.0.1:1' },
      },
    ],
    options: [
      { key: 'GroupRatio', value: JSON.stringify({ default: 1, vip: VIP_RATIO }) },
      ...['ModelRatio', 'CompletionRatio'].map(key => ({ key, value: ratios })),
    ],
    logs,
  })
}

const place = await setUpInstallation()
await moved(place, house([]))
const server = await startAt({
  ...place,
  env: { ...place.env, SHADOW_OF: `http://127.0.0.1:${old.port}`, LOG_LEVEL: 'warn' },
})
await setOption(server.url, 'TaskPrice', JSON.stringify(TASK_PRICES))

const routes = apiRoutes.filter(
  route => (route.operation || route.endpoint || route.continues_task) && !isOfThisSite(route),
)
const priced = routes.map(({ path }) => path).filter(path => !(path in UNPRICED))

const rows = () => rowsOf(place, 'select * from shadow_calls order by id')

/** Sends a call, and gives the id that the old gateway gave it. */
async function passed(path: string, body: PaidCall['body'], given: PaidCall['answer'], status_ = 200): Promise<string> {
  ;[answer, status] = [given, status_]
  const sent = body instanceof FormData ? body : JSON.stringify(body)
  const headers = { authorization: `Bearer sk-${person.key}` }
  const response = await fetch(server.url + path, { method: 'POST', headers, body: sent })
  expect([path, response.status, await response.text()]).toEqual([
    ...[path, status_],
    typeof given === 'string' ? given : JSON.stringify(given),
  ])
  return response.headers.get(ID)!
}

/** The row of a call. */
async function kept(id: string) {
  const found = async () => (await rows()).find(({ their_id }) => their_id === id)
  await until(async () => (await found()) !== undefined)
  return (await found())!
}

const ids = new Map<string, string>()
for (const path of priced) {
  const call = PAID[path]!
  ids.set(path, await passed(call.path ?? path, call.body, call.answer))
}

const quotaOf = ({ usd, tokens }: PaidCall) =>
  Math.round((tokens ? TOKENS : usd! * QUOTA_PER_USD) * VIP_RATIO * 1e6) / 1e6

const keptOf = async (...call: Parameters<typeof passed>) => kept(await passed(...call))

const logs: Row[] = []

/** The entry of the old gateway, with another price for what is described. */
function log(path: string, row: Record<string, unknown>, call: PaidCall) {
  const { usd = 0, tokens: [prompt_tokens, completion_tokens] = [0, 0] } = call
  const factor = path.includes('describe') || path === '/v1beta/models/*:embedContent' ? 2 : 1
  const ratios = call.tokens
    ? { model_ratio: factor, completion_ratio: 1, model_price: -1 }
    : { model_price: usd * factor }
  logs.push({
    ...{ id: logs.length + 1, created_at: now(), request_id: row.their_id as string, type: 2, content: '' },
    ...{ user_id: 2, username: 'ann', token_name: 'key', group: 'vip', model_name: call.model ?? MODEL },
    ...{ prompt_tokens, completion_tokens, quota: quotaOf(call) * factor, is_stream: false, channel_id: 1 },
    other: JSON.stringify({ ...ratios, group_ratio: VIP_RATIO }),
  })
}

test('every path that is paid for has a call here, or a reason why it has no price', () => {
  expect(Object.keys(PAID).sort()).toEqual(priced.sort())
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(UNPRICED)))
})

test.each(priced)('%s: the call has the price that it would have here', async path => {
  const call = PAID[path]!
  const row = await kept(ids.get(path)!)
  const { tokens: [prompt_tokens, completion_tokens] = [0, 0], model = MODEL } = call
  expect(row).toMatchObject({
    ...{ outcome: 'finished', refusal: '', user_id: 2, group: 'vip', model, prompt_tokens, completion_tokens },
    quota: quotaOf(call),
  })
  log(path, row, call)
})

test('a remix is kept without a price, and what the old gateway refuses is failed, also with status 200', async () => {
  const video = { model: 'sora-2', prompt: 'A gate' }
  const error = { error: { message: 'no', type: 'invalid_request_error' } }
  const drawing = { prompt: 'A gate' }
  const sent = [
    await passed('/v1/videos/video_1/remix', drawing, { id: 'video_2', status: 'queued' }),
    await passed('/suno/submit/music', drawing, { code: 'fail_to_fetch', message: 'no' }),
    await passed('/mj/submit/imagine', drawing, { code: 23, description: 'queue full', result: null }),
    await passed('/v1/videos', video, error, 400),
    await passed('/v1/videos', video, error),
    await passed('/v1beta/models/gate:embedContent', { content: { parts: [{ text: 'Hi' }] } }, error),
  ]
  const [remix, ...failed] = await Promise.all(sent.map(kept))
  expect(remix).toMatchObject({ outcome: 'unread', quota: 0, model: '' })
  for (const row of failed) expect(row).toMatchObject({ outcome: 'failed', quota: 0 })
})

test('a task that Tollgate would refuse has the refusal, and look-ups of tasks are not kept', async () => {
  const looked = [
    await passed('/jimeng/?Action=CVSync2AsyncGetResult', { task_id: '7' }, { code: 10_000 }),
    await passed('/suno/submit/other', { prompt: 'A gate' }, { code: 'invalid_action' }),
    await passed('/suno/fetch', { ids: ['task-1'] }, { code: 'success', data: [] }),
  ]
  const blend = await keptOf('/mj/submit/blend', { base64Array: [] }, PAID['/mj/submit/blend']!.answer)
  expect(blend).toMatchObject({ outcome: 'finished', refusal: 'relay.task_refused', quota: 0 })
  const long = await keptOf('/v1/videos', { model: 'sora-2', prompt: 'A gate', seconds: '99' }, { id: 'video_1' })
  expect(long).toMatchObject({ refusal: 'relay.invalid_seconds', quota: 0 })
  expect((await rows()).filter(({ their_id }) => looked.includes(String(their_id)))).toEqual([])
})

test('an embedding without a usage is counted here, as of channels that report none', async () => {
  const { path, body } = PAID['/v1beta/models/*:embedContent']!
  const row = await keptOf(path!, body, { embedding: { values: [0.5] } })
  expect(row).toMatchObject({ outcome: 'finished', model: MODEL, completion_tokens: 0 })
  expect([Number(row.is_estimated), Number(row.quota)]).toEqual([1, Number(row.prompt_tokens) * VIP_RATIO])
  expect(Number(row.prompt_tokens)).toBeGreaterThan(0)
})

test('the report compares them by their prices', async () => {
  const json = join(newFolder(), 'report.json')
  const { code, err } = await run(['shadow', 'report', '--against', house(logs), '--json', json], place)
  expect([code, err]).toEqual([0, ''])
  const { total, rows: byModel }: ShadowReport = JSON.parse(readFileSync(json, 'utf8'))
  const row = (model: string) => byModel.find(one => one.model === model)!
  expect(total.matched).toBe(String(priced.length))
  expect(total.equal).toBe(String(priced.length - 2))
  const reasons = Object.fromEntries(total.differences.map(one => [one.reasons.join(' + '), one]))
  expect(reasons.model_price).toMatchObject({ calls: '1', quota: String(0.02 * QUOTA_PER_USD * VIP_RATIO) })
  expect(reasons.model_ratio).toMatchObject({ calls: '1', quota: String(TOKENS * VIP_RATIO) })
  expect(reasons.not_priced_here).toMatchObject({ calls: '1' })
  expect(row('mj_imagine').ours).toEqual({
    ...{ calls: '1', prompt_tokens: '0', completion_tokens: '0' },
    quota: '150000',
  })
  expect(row('sora-2')).toMatchObject({ equal: '2', ours: { quota: String(1.21 * QUOTA_PER_USD * VIP_RATIO) } })
})
