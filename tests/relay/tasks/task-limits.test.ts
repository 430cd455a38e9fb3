/** What key, user and operator limit holds at every path at which tasks are submitted, as it does for chats. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Role } from '../../../src/contracts/account.ts'
import { db } from '../../../src/db/database.ts'
import { keyHashOf } from '../../../src/domain/stored-objects/index.ts'
import { tasks } from '../../../src/domain/tasks/table.ts'
import { providers } from '../../../src/providers/index.ts'
import type { Json } from '../../../src/pure/json.ts'
import { apiRoutes } from '../../../src/relay/endpoints/table.ts'
import { app, listen as listenToApp } from '../../support/app/app.ts'
import { setOption } from '../../support/app/options.ts'
import { budgetsOf, keyOf, makeBudget } from '../../support/people/budgets.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { setUp, visitor } from '../../support/people/person.ts'
import { rowsOf } from '../../support/people/tasks.ts'
import { inTier } from '../../support/tier.ts'
import { until } from '../../support/until.ts'
import { makeChannel } from '../../support/upstream/channel.ts'
import { listen } from '../../support/upstream/http-server.ts'
import { ALL_DRAWINGS } from '../../support/upstream/midjourney.ts'

const KEY = 'sk-tasks'
const PICTURE = 'data:image/png;base64,iVBORw0KGgo='
const DRAWING = '1718000000000077'
const VIDEO = 'task_ofAVideoThatIsFinishedAlready'

interface Submit {
  body: Json
  /** Field with words, for a path that takes any. */
  words?: string
  /** In place of the route's own path. */
  path?: string
}

const video = { model: 'sora-2', prompt: 'A gate' }
const kling = { body: { model_name: 'kling-v2-6', prompt: 'A gate' }, words: 'prompt' }
const pictures = { base64Array: [PICTURE, PICTURE] }

/** A request that is allowed, for each path. */
const submits: Record<string, Submit> = {
  '/suno/submit/music': { body: { prompt: 'A gate', title: 'Toll', tags: 'folk' }, words: 'title' },
  '/suno/submit/lyrics': { body: { prompt: 'A gate' }, words: 'prompt' },
  '/suno/submit/:action': { body: { prompt: 'A gate' }, words: 'prompt', path: '/suno/submit/LYRICS' },
  '/mj/submit/imagine': { body: { prompt: 'A gate' }, words: 'prompt' },
  '/mj/submit/change': { body: { taskId: DRAWING, action: 'UPSCALE', index: 1 } },
  '/mj/submit/simple-change': { body: { content: `${DRAWING} U1` } },
  '/mj/submit/describe': { body: { base64: PICTURE } },
  '/mj/submit/blend': { body: pictures },
  '/mj/submit/action': { body: { taskId: DRAWING, customId: 'MJ::JOB::upsample::1::uuid' } },
  '/mj/submit/modal': { body: { taskId: DRAWING, prompt: 'A gate' }, words: 'prompt' },
  '/mj/submit/shorten': { body: { prompt: 'A gate' }, words: 'prompt' },
  '/mj/submit/upload-discord-images': { body: pictures },
  '/mj/submit/edits': { body: { prompt: 'A gate', image: PICTURE }, words: 'prompt' },
  '/mj/submit/video': { body: { prompt: 'A gate', image: PICTURE }, words: 'prompt' },
  '/mj/insight-face/swap': { body: { sourceBase64: PICTURE, targetBase64: PICTURE } },
  '/v1/videos': { body: video, words: 'prompt' },
  '/v1/videos/:id/remix': { body: { prompt: 'A gate' }, words: 'prompt', path: `/v1/videos/${VIDEO}/remix` },
  '/v1/video/generations': { body: video, words: 'prompt' },
  '/kling/v1/videos/text2video': kling,
  '/kling/v1/videos/image2video': { ...kling, body: { ...kling.body, image: 'iVBORw0KGgo=' } },
  '/kling/v1/videos/omni-video': { ...kling, body: { model_name: 'kling-v3-omni', prompt: 'A gate' } },
  '/jimeng/': {
    ...{ body: { req_key: 'jimeng_t2v_v30', prompt: 'A gate' }, words: 'prompt' },
    path: '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
  },
}

/** Paths without an operation of their own that lead to one of the others. */
const alsoSubmit = new Set(['/suno/submit/:action', '/v1/videos/:id/remix'])
const operations = new Set(
  providers.flatMap(({ apis }) => Object.entries(apis)).flatMap(([name, api]) => (api?.task ? [name] : [])),
)

test('every path at which tasks are submitted is tried here', () => {
  const paths = apiRoutes.filter(({ operation = '', path }) => operations.has(operation) || alsoSubmit.has(path))
  expect(Object.keys(submits).sort()).toEqual(paths.map(({ path }) => path).sort())
})

/** Takes every submit, and answers none until it is let. */
let held = Promise.withResolvers<void>()
let taken = 0
const upstream = await listen(async (_, answer) => {
  taken++
  await held.promise
  await answer.reset()
})
afterAll(() => upstream.stop())

const url = `http://127.0.0.1:${upstream.port}`
const group = 'default,bulk-ok'
const channels: number[] = []

beforeAll(async () => {
  const root = await setUp()
  await setOption('GroupRatio', JSON.stringify({ default: 1, 'bulk-ok': 1 }))
  const served = [
    { type: 5, models: [...ALL_DRAWINGS, 'swap_face'].join() },
    { type: 36, models: 'suno_music,suno_lyrics' },
    { type: 1, models: 'dall-e-3' },
    { type: 55, models: 'sora-2' },
    { type: 50, key: 'ak|sk', models: 'kling-v2-6,kling-v3-omni' },
    { type: 51, key: 'ak|sk', models: 'jimeng_v30' },
  ]
  for (const fields of served)
    channels.push((await makeChannel(root, { key: KEY, base_url: url, group, ...fields })).id)
})

/** While all channels are disabled, what is allowed is answered so. */
const LET_IN = 503
const serve = async (isServed: boolean) => {
  const root = await setUp()
  for (const id of channels) await root.put('/api/channel/', { id, status: isServed ? 1 : 2 })
}
const offer = (...groups: string[]) =>
  setOption('UserUsableGroups', JSON.stringify(Object.fromEntries(groups.map(name => [name, name]))))

afterEach(async () => {
  for (const name of ['ModelRequestRateLimitEnabled', 'global.block_browser_extension_enabled'])
    await setOption(name, false)
  await setOption('ModelRequestRateLimitCount', 0)
  await setOption('UserConcurrencyLimit', 0)
  await offer('default')
})

/** A finished drawing and video of this client, which others continue. */
async function withOrigins(who: Client): Promise<Client> {
  const common = {
    ...{ user_id: who.person.id, token_id: 0, group: 'default', request_id: 'req', node: 'none', progress: 100 },
    ...{ status: 'SUCCESS' as const, submit_ms: 1, deadline_ms: 1, key_hash: keyHashOf(KEY) },
    price_basis: { price: { unit: 'call', price: 0 }, choice: { units: 1 }, group_ratio: 1, quota_per_unit: 1 } as any,
  }
  await db.delete(tasks)
  const drawing = { platform: 'midjourney', action: 'IMAGINE', model: 'mj_imagine', upstream_id: DRAWING } as const
  const film = { platform: 'video', action: 'video', model: 'sora-2', upstream_id: 'made-77' } as const
  await db.insert(tasks).values([
    { ...common, ...drawing, task_id: 'task_drawing', channel_id: channels[0]!, input: { prompt: 'A gate' } },
    { ...common, ...film, task_id: VIDEO, channel_id: channels[3]!, input: { model: 'sora-2', seconds: 4 } },
  ])
  return who
}

const sent = async (
  who: Client,
  at: string,
  { headers, words }: { headers?: Record<string, string>; words?: string } = {},
) => {
  const { path = at, body, words: field } = submits[at]!
  const full = words && field ? { ...body, [field]: words } : body
  return (await (await withOrigins(who)).postTo(path, full, { headers })).status
}

const newRowsOf = async (who: Client) => (await rowsOf(who)).filter(({ request_id }) => request_id !== 'req')

const [SUBMITS, FITTING] = [100, 7]

/** @returns when all have ended, of which seven have reached the upstream. Pictures are answered before. */
async function submitAll(submit: () => Promise<Response>) {
  const before = taken
  const statuses: number[] = []
  const refused = () => statuses.filter(status => status === 429).length
  const calls = Array.from({ length: SUBMITS }, async () => void statuses.push((await submit()).status))
  await until(() => refused() >= SUBMITS - FITTING && taken - before >= FITTING, 'all that has no room')
  expect([refused(), taken - before]).toEqual([SUBMITS - FITTING, FITTING])
  held.resolve()
  await Promise.all(calls)
}

describe.each(Object.keys(submits))('at %s', at => {
  beforeAll(() => serve(false))

  test('a permitted key is let in, a wrong key, model, group or address is not', async () => {
    const ann = await client()
    expect(await sent(ann, at)).toBe(LET_IN)
    expect(await sent(ann, at, { headers: { authorization: 'Bearer sk-nobody' } })).toBe(401)
    expect(await sent(await client({ allow_ips: '10.0.0.1' }), at)).toBe(403)
    expect(await sent(await client({ allow_ips: '127.0.0.0/8' }), at)).toBe(LET_IN)
    expect(await sent(await client({ model_limits_enabled: true, model_limits: 'another' }), at)).toBe(403)
    await offer('default', 'bulk-ok')
    const bulk = await client({ group: 'bulk-ok' })
    expect(await sent(bulk, at)).toBe(LET_IN)
    await offer('default')
    expect(await sent(bulk, at)).toBe(403)
    await setOption('global.block_browser_extension_enabled', true)
    expect(await sent(ann, at, { headers: { origin: 'chrome-extension://abcdef' } })).toBe(403)
  })

  test('calls count towards the limits of the key and of the user', async () => {
    const limited = await client({ rate_limit_enabled: true, rate_limit_count: 1, rate_limit_success: 0 })
    expect([await sent(limited, at), await sent(limited, at)]).toEqual([LET_IN, 429])
    await setOption('ModelRequestRateLimitEnabled', true)
    await setOption('ModelRequestRateLimitCount', 1)
    const ann = await client()
    expect([await sent(ann, at), await sent(ann, at)]).toEqual([LET_IN, 429])
  })

  test('sensitive words are refused', async () => {
    if (submits[at]!.words === undefined) return
    expect(await sent(await client(), at, { words: 'so test_sensitive' })).toBe(400)
  })

  test('a body of 100 MB is refused before it is read, in the form of the path', async () => {
    const ann = await withOrigins(await client())
    const { path = at } = submits[at]!
    const headers = { authorization: `Bearer ${ann.key}`, 'content-length': '100000000' }
    const told = await app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers, body: '{' }))
    expect([told.status, told.headers.get('content-type')]).toEqual([413, 'application/json;charset=utf-8'])
    expect(await newRowsOf(ann)).toEqual([])
  })

  test('without balance nothing is sent, and no row is written', async () => {
    await serve(true)
    const poor = await client({}, 0)
    const before = taken
    expect(await sent(poor, at)).toBe(403)
    expect([taken - before, await newRowsOf(poor)]).toEqual([0, []])
    await serve(false)
  })
})

/** Paths from one with a crowd to the next: the reservation is the same at each. */
const CROWD_STEP = inTier({ short: 3, long: 1 })

test.each(Object.keys(submits).filter((_, row) => row % CROWD_STEP === 0))(
  'at %s: a budget for seven has room for seven of a hundred submits, and the others are not sent',
  async at => {
    held = Promise.withResolvers()
    await serve(true)
    const who = await withOrigins(await client())
    const key = await keyOf(who)
    await makeBudget('token', key, { amount: FITTING })
    const { path = at, body } = submits[at]!
    await submitAll(() => who.postTo(path, body))
    expect((await newRowsOf(who)).length).toBeLessThanOrEqual(FITTING)
    expect((await budgetsOf('token', key))[0]).toMatchObject({ reserved: 0, amount: FITTING })
    await serve(false)
  },
)

/** A body for each path at which the playground submits. */
const played: Record<string, Json> = {
  '/pg/tasks/drawings': { prompt: 'A gate' },
  '/pg/tasks/pictures': { model: 'dall-e-3', prompt: 'A gate' },
  '/pg/tasks/music': { prompt: 'A gate', title: 'Toll', tags: '' },
  '/pg/tasks/videos': video,
}

test.each(
  apiRoutes.filter(({ method, path }) => method === 'POST' && path.startsWith('/pg/tasks/')).map(({ path }) => path),
)('%s: of a hundred submits seven have room in a budget of the user for seven', async path => {
  held = Promise.withResolvers()
  await serve(true)
  const { id, cookie } = await visitor(Role.user, RICH)
  await makeBudget('user', id, { amount: FITTING })
  const headers = {
    cookie,
    'tollgate-user': String(id),
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
  }
  const body = JSON.stringify(played[path])
  await submitAll(() => fetch(listenToApp() + path, { method: 'POST', headers, body }))
  await until(async () => (await budgetsOf('user', id))[0]!.reserved === 0, 'nothing is held')
  await serve(false)
})

test('the limit of concurrent calls holds at every path while one task is submitted', async () => {
  held = Promise.withResolvers()
  await serve(true)
  await setOption('UserConcurrencyLimit', 1)
  const ann = await withOrigins(await client())
  const before = taken
  const first = ann.postTo('/suno/submit/lyrics', { prompt: 'A gate' })
  await until(async () => taken > before)
  const statuses = []
  for (const at of Object.keys(submits)) {
    const { path = at, body } = submits[at]!
    statuses.push((await ann.postTo(path, body)).status)
  }
  expect(statuses).toEqual(statuses.map(() => 429))
  held.resolve()
  await first
  await serve(false)
})

test('the models of task channels are listed for keys that may call them', async () => {
  await serve(true)
  const ids = async (who: Client): Promise<string[]> =>
    ((await (await who.get('/v1/models')).json()) as any).data.map(({ id }: { id: string }) => id)
  const served = [...ALL_DRAWINGS, 'swap_face', 'suno_music', 'sora-2', 'kling-v2-6', 'jimeng_v30']
  expect(await ids(await client())).toEqual(expect.arrayContaining(served))
  const limited = await client({ model_limits_enabled: true, model_limits: 'suno_lyrics,sora-2' })
  expect((await ids(limited)).sort()).toEqual(['sora-2', 'suno_lyrics'])
  await serve(false)
})
