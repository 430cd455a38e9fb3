// @engine sqlite
/** Requests for drawings: what is refused before money moves, what of a request goes on, and whose drawings are seen. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, clientOf, RICH } from '../../support/people/client.ts'
import { asked, begun, drawingOf, drawingRow, finished, lookAround, PICTURE } from '../../support/people/drawings.ts'
import { visitor } from '../../support/people/person.ts'
import { rowsOf } from '../../support/people/tasks.ts'
import { closeOtherDrawings, drawingChannel, MJ_SECRET, midjourneyUpstream } from '../../support/upstream/midjourney.ts'

const maker = await midjourneyUpstream()
await drawingChannel(maker)

let [ann, bob]: Client[] = []
beforeEach(async () => {
  maker.reset()
  ;[ann, bob] = [await client(), await client()]
})
afterEach(async () => {
  expect(maker.complaints).toEqual([])
  await closeOtherDrawings()
})

const action = (customId: string) => ({ taskId: '1718', customId })
const change = (index: unknown) => ({ taskId: '1718', action: 'UPSCALE', index })
const pictures = (count: number) => Array.from({ length: count }, () => PICTURE)
const text = 'data:text/html;base64,PGgxPg=='

test.each<[string, object, string]>([
  ['/mj/submit/imagine', {}, 'prompt_is_required'],
  ['/mj/submit/imagine', { prompt: ' ' }, 'prompt_is_required'],
  ['/mj/submit/imagine', { prompt: 7 }, 'prompt_is_invalid'],
  ['/mj/submit/imagine', { prompt: 'x', base64Array: [text] }, 'base64_array_is_invalid'],
  ['/mj/submit/imagine', { prompt: 'x', notifyHook: 'ftp://a' }, 'notify_hook_is_invalid'],
  ['/mj/submit/shorten', { prompt: '' }, 'prompt_is_required'],
  ['/mj/submit/describe', {}, 'base64_is_required'],
  ['/mj/submit/describe', { base64: text }, 'base64_is_invalid'],
  ['/mj/submit/blend', {}, 'base64_array_is_required'],
  ['/mj/submit/blend', { base64Array: pictures(1) }, 'base64_array_is_invalid'],
  ['/mj/submit/blend', { base64Array: pictures(6) }, 'base64_array_is_invalid'],
  ['/mj/submit/blend', { base64Array: pictures(2), dimensions: 'ROUND' }, 'dimensions_is_invalid'],
  ['/mj/submit/upload-discord-images', { base64Array: [] }, 'base64_array_is_invalid'],
  ['/mj/submit/edits', { prompt: 'x' }, 'image_is_required'],
  ['/mj/submit/edits', { prompt: 'x', image: PICTURE, mask: text }, 'mask_is_invalid'],
  ['/mj/submit/video', { prompt: 'x', image: PICTURE, motion: 'fast' }, 'motion_is_invalid'],
  ['/mj/submit/video', { prompt: 'x' }, 'image_is_required'],
  ['/mj/submit/video', { taskId: '1718', index: 5 }, 'index_parse_failed'],
  ['/mj/insight-face/swap', { targetBase64: PICTURE }, 'source_base64_is_required'],
  ['/mj/insight-face/swap', { sourceBase64: PICTURE }, 'target_base64_is_required'],
  ['/mj/submit/change', { action: 'UPSCALE', index: 1 }, 'task_id_is_required'],
  ['/mj/submit/change', { taskId: '1718' }, 'action_is_required'],
  ['/mj/submit/change', { taskId: '1718', action: 'DANCE' }, 'unknown_action'],
  ['/mj/submit/change', change(undefined), 'index_is_required'],
  ['/mj/submit/change', change(0), 'index_is_required'],
  ['/mj/submit/change', change(5), 'index_parse_failed'],
  ['/mj/submit/change', change('1'), 'index_parse_failed'],
  ['/mj/submit/simple-change', {}, 'content_is_required'],
  ['/mj/submit/simple-change', { content: '1718 U5' }, 'content_parse_failed'],
  ['/mj/submit/simple-change', { content: 'U1' }, 'content_parse_failed'],
  ['/mj/submit/modal', { prompt: 'x' }, 'task_id_is_required'],
  ['/mj/submit/modal', { taskId: '1718', maskBase64: text }, 'mask_is_invalid'],
  ['/mj/submit/action', { taskId: '1718' }, 'custom_id_is_required'],
  ['/mj/submit/action', action('MJ'), 'unknown_action'],
  ['/mj/submit/action', action('MJ::JOB'), 'unknown_action'],
  ['/mj/submit/action', action('MJ::JOB::upsample'), 'index_parse_failed'],
  ['/mj/submit/action', action('MJ::JOB::upsample::'), 'index_parse_failed'],
  ['/mj/submit/action', action('MJ::JOB::upsample::9::u'), 'index_parse_failed'],
  ['/mj/submit/action', action('MJ::JOB::bookmark::1::u::SOLO'), 'unknown_action'],
  ['/mj/submit/action', action('MJ::constructor::1::u::a::b'), 'unknown_action'],
  ['/mj/submit/action', action('MJ::Picread::1::u::a::b::c'), 'unknown_action'],
  ['/mj/submit/action', action('a::b::c::d::e::f::g::h'), 'unknown_action'],
  ['/mj/submit/action', action('a::JOB::c::d::e::f::g::h::i'), 'unknown_action'],
  ['/mj/submit/change', change(1), 'task_not_found'],
  ['/mj/submit/modal', { taskId: 'x'.repeat(1000) }, 'task_not_found'],
  ['/mj/task/list-by-condition', { ids: '1718' }, 'ids_is_invalid'],
  ['/mj/task/list-by-condition', { ids: [7] }, 'ids_is_invalid'],
  ['/mj/task/list-by-condition', { ids: Array.from({ length: 10_000 }, String) }, 'ids_is_invalid'],
])('%s with %j is refused by name, and moves no money', async (path, body, description) => {
  const told = await asked(ann!, path, body)
  expect(told).toEqual({ status: 400, body: { code: 4, description, type: 'invalid_request_error' } })
  expect(maker.calls).toEqual([])
  expect(await rowsOf(ann!)).toEqual([])
  expect(await ann!.balance()).toBe(RICH)
})

test('the key may come as mj-api-secret, beside a placeholder, and every error has the form of the maker', async () => {
  const get = (headers: Record<string, string>, path = '/mj/task/1/fetch') => fetch(ann!.url + path, { headers })
  const good: Record<string, string>[] = [
    { 'mj-api-secret': `sk-${ann!.key}` },
    { 'mj-api-secret': `Bearer ${ann!.key}`, authorization: 'midjourney-proxy' },
    { 'mj-api-secret': ann!.key, authorization: `Bearer sk-${ann!.key}` },
  ]
  for (const headers of good) expect((await get(headers)).status).toBe(400)
  const bad = [get({}), get({ 'mj-api-secret': 'sk-wrong' }), get({ 'mj-api-secret': ann!.key }, '/v1/models')]
  expect((await Promise.all(bad)).map(({ status }) => status)).toEqual([401, 401, 401])
  const paths = [
    '/mj/nothing',
    '/mj-fast/mj/mj/',
    '/fast/mj/submit/imagine',
    '/mj-fast/mj/nothing',
    '/mj/submit/imagine',
  ]
  const told = await Promise.all(paths.map(path => get(good[0]!, path)))
  expect(told.map(({ status }) => status)).toEqual([404, 404, 405, 404, 405])
  for (const answer of [...told, await get({})])
    expect(await answer.json()).toMatchObject({ code: 4, description: expect.any(String) })
  expect((await asked(ann!, '/a.mode/mj/submit/imagine', { prompt: 'x' })).status).toBe(404)
})

test('a balance that is too small is told in the words of the maker', async () => {
  const poor = await clientOf(await visitor(1, 10), {})
  const { status, body } = await asked(poor, '/mj/submit/imagine', { prompt: 'A gate' })
  expect({ status, body }).toMatchObject({ status: 403, body: { code: 4, description: 'quota_not_enough' } })
  expect(maker.calls).toEqual([])
})

test('a key without the action among its models draws nothing', async () => {
  const limited = await client({ model_limits_enabled: true, model_limits: 'mj_imagine' })
  await begun(limited)
  const { status, body } = await asked(limited, '/mj/submit/shorten', { prompt: 'A gate' })
  expect({ status, body }).toMatchObject({ status: 403, body: { code: 4 } })
})

const filtered = {
  prompt: 'A gate --fast --ar 2:1 --relax',
  accountFilter: { modes: ['FAST'] },
  notifyHook: 'https://a.example/',
}

test('filters, callbacks and speeds go on as far as the operator allows', async () => {
  await begun(ann!, '/mj/submit/imagine', filtered)
  await setOption('MjAccountFilterEnabled', true)
  await setOption('MjModeClearEnabled', true)
  await begun(ann!, '/mj/submit/imagine', { ...filtered, mode: 'mj-turbo', model: 'mj_describe' })
  const wrong = { prompt: 'x', accountFilter: 'me' }
  expect((await asked(ann!, '/mj/submit/imagine', wrong)).body.description).toBe('account_filter_is_invalid')
  await setOption('MjAccountFilterEnabled', false)
  expect(maker.submits().map(({ body }) => body)).toEqual([
    { prompt: 'A gate --fast --ar 2:1 --relax' },
    { prompt: 'A gate --ar 2:1', accountFilter: { modes: ['FAST'] } },
  ])
  expect((await asked(ann!, '/mj/submit/imagine', { prompt: '--fast' })).body.description).toBe('prompt_is_required')
  await setOption('MjModeClearEnabled', false)
})

test('the mode of the path has a price where one is set, and goes on where the channel says so', async () => {
  await begun(ann!, '/mj-turbo/mj/submit/imagine')
  expect(RICH - (await ann!.balance())).toBe(50_000)
  await setOption('TaskPrice', JSON.stringify({ 'mj_imagine@turbo': { unit: 'call', price: 0.2 } }))
  const id = await begun(ann!, '/mj-turbo/mj/submit/imagine')
  await begun(ann!, '/mj-relax/mj/submit/imagine')
  expect(RICH - (await ann!.balance())).toBe(50_000 + 100_000 + 50_000)
  expect(await drawingRow(ann!, id)).toMatchObject({ model: 'mj_imagine@turbo', charged: 100_000 })
  await setOption('TaskPrice', '{}')
  expect(maker.submits().map(({ path }) => path)).toEqual(Array(3).fill('/mj/submit/imagine'))
  await drawingChannel(maker, { priority: 10, setting: JSON.stringify({ mj_keep_mode: true }) })
  await begun(ann!, '/mj-turbo/mj/submit/imagine')
  expect(maker.submits().at(-1)).toMatchObject({ path: '/mj-turbo/mj/submit/imagine', body: { prompt: 'A gate' } })
})

test('the smaller type draws, changes, describes and blends, and nothing else', async () => {
  await drawingChannel(maker, { priority: 10, type: 2, models: 'only-here' })
  const small = await midjourneyUpstream()
  await drawingChannel(small, { priority: 10, type: 2 })
  await begun(ann!)
  await begun(ann!, '/mj/submit/shorten', { prompt: 'A gate' })
  expect(small.submits().map(({ path }) => path)).toEqual(['/mj/submit/imagine'])
  expect(maker.submits().map(({ path }) => path)).toEqual(['/mj/submit/shorten'])
})

test('a drawing that is not done, or has failed, has no buttons', async () => {
  const press = async (id: string) => (await asked(ann!, '/mj/submit/change', { ...change(1), taskId: id })).body
  const id = await begun(ann!)
  expect((await press(id)).description).toBe('task_status_not_success')
  await setOption('MjActionCheckSuccessEnabled', false)
  expect((await press(id)).code).toBe(1)
  maker.tells(id, { status: 'FAILURE', failReason: 'no' })
  await lookAround()
  expect((await press(id)).description).toBe('task_status_not_success')
  await setOption('MjActionCheckSuccessEnabled', true)
})

test("another user's drawing is nowhere", async () => {
  const id = await finished(ann!, maker)
  maker.calls.length = 0
  const { task_id } = await drawingRow(ann!, id)
  for (const guess of [id, task_id]) {
    for (const path of [`/mj/task/${guess}/fetch`, `/mj/task/${guess}/image-seed`])
      expect(await (await bob!.get(path)).json()).toMatchObject({ code: 4, description: 'task_not_found' })
    expect((await asked(bob!, '/mj/submit/modal', { taskId: guess })).body.description).toBe('task_not_found')
    expect((await asked(bob!, '/mj/submit/simple-change', { content: `${guess} U1` })).body.code).toBe(4)
  }
  expect((await asked(bob!, '/mj/task/list-by-condition', { ids: [id, task_id] })).body).toEqual([])
  expect(maker.calls).toEqual([])
})

test('many drawings are told at once, each of the own ones once', async () => {
  const ids = [await begun(ann!), await begun(ann!), await begun(bob!)]
  const { body } = await asked(ann!, '/mj/task/list-by-condition', { ids: [...ids, ids[0], 'unknown', ''] })
  expect(body.map((task: any) => task.id)).toEqual([ids[0], ids[1]])
})

test('the seed comes from the upstream, with the key that has drawn it', async () => {
  const id = await finished(ann!, maker)
  const seed = async () => {
    const response = await ann!.get(`/mj/task/${id}/image-seed`)
    return { status: response.status, body: await response.json() }
  }
  expect(await seed()).toEqual({ status: 200, body: { code: 1, description: 'ok', result: '2871403213' } })
  expect(maker.calls.at(-1)).toMatchObject({ path: `/mj/task/${id}/image-seed`, key: MJ_SECRET })
  maker.scripts.seed = answer => answer.json('<html>')
  expect(await seed()).toMatchObject({ status: 502, body: { code: 5 } })
  maker.scripts.seed = answer => answer.reset()
  expect(await seed()).toMatchObject({ status: 502, body: { code: 5 } })
  expect(RICH - (await ann!.balance())).toBe(50_000)
})

test('strange states harm one drawing, and a drawing never goes back', async () => {
  const [odd, good] = [await begun(ann!), await begun(ann!)]
  maker.scripts.list = answer =>
    answer.json([
      ...[null, 7, { id: 8 }, { id: 'of-another', status: 'FAILURE', failReason: 'not ours' }],
      { id: odd, status: 'DANCING', progress: {}, startTime: 'soon' },
      { id: good, status: 'IN_PROGRESS', progress: '101%', startTime: 1_700_000_005 },
    ])
  await lookAround()
  expect(await drawingOf(ann!, odd)).toMatchObject({ status: 'SUBMITTED', progress: '10%' })
  expect(await drawingOf(ann!, good)).toMatchObject({ progress: '99%', startTime: 1_700_000_005_000 })
  maker.scripts.list = answer => answer.json([{ id: good, status: 'SUBMITTED', progress: '0%' }])
  await lookAround()
  expect(await drawingOf(ann!, good)).toMatchObject({ status: 'IN_PROGRESS', progress: '99%' })
  for (const body of ['<html>', { code: 5 }]) {
    maker.scripts.list = answer => answer.json(body)
    for (let round = 0; round < 4; round++) await lookAround()
  }
  expect(await drawingOf(ann!, good)).toMatchObject({ status: 'IN_PROGRESS' })
})

test.each<[string, object | string]>([
  ['no id', { code: 1, description: 'ok' }],
  ['an id that is none', { code: 1, description: 'ok', result: '../../x' }],
  ['HTML', '<html>'],
])('a submit that is answered with %s is charged to nobody, and its outcome is unknown', async (_, body) => {
  maker.scripts.submit = answer => answer.json(body)
  const told = await asked(ann!, '/mj/submit/imagine', { prompt: 'A gate' })
  expect(told).toMatchObject({ status: 504, body: { code: 5 } })
  expect(await rowsOf(ann!)).toMatchObject([{ status: 'FAILURE', outcome_unknown: true, charged: 0 }])
})
