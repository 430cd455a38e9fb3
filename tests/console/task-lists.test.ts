// @engine both
/** Lists of drawings and of other tasks in the API: their wire, filters and pages, and who sees what. */
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { TASK_STATUSES } from '../../src/contracts/task-list.ts'
import { db } from '../../src/db/database.ts'
import { tasks } from '../../src/domain/tasks/table.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, type Person, visitor } from '../support/people/person.ts'
import { doubleTasks, drawingRowFor, insertTasks, taskRow } from '../support/people/task-rows.ts'
import { seededRandom } from '../support/random.ts'

const START_MS = 1_790_000_000_000

let [ann, bob, admin]: Person[] = []
beforeAll(async () => {
  ;[ann, bob, admin] = [await visitor(), await visitor(), await visitor(Role.admin)]
})
beforeEach(async () => {
  await db.delete(tasks)
  await setOption('ServerAddress', 'https://gate.example')
})

const items = async (who: Person, path: string) => (await who.get(path)).data as Record<string, any>[]
const idsAt = async (who: Person, path: string) => (await items(who, path)).map(({ id }) => id)

const told = {
  ...{ prompt: 'A gate, told', promptEn: 'a gate', description: 'drawn', imageUrl: 'https://cdn.example/1.png' },
  ...{ videoUrl: 'https://cdn.example/1.mp4', buttons: [{ label: 'U1' }], properties: { finalPrompt: 'a gate' } },
}

test('a drawing is told in milliseconds, with its signed picture; only administrators see its channel and user', async () => {
  const times = { submit_ms: START_MS, start_ms: START_MS + 1000, finish_ms: START_MS + 61_500 }
  const answer = { code: 22, description: 'queued' }
  const fields = { ...times, answer, result: told, channel_id: 7, upstream_id: '17181', charged: 50_000 }
  const [row] = await insertTasks(drawingRowFor(ann!, fields))
  const own = {
    ...{ id: row!.id, user_id: ann!.id, username: '', action: 'IMAGINE', channel_id: 0, quota: 50_000, refunded: 0 },
    ...{ status: 'SUCCESS', progress: '100%', fail_reason: '', mj_id: '17181', code: 22, state: 'mine' },
    ...{ prompt: 'A gate, told', prompt_en: 'a gate', description: 'drawn', video_url: 'https://cdn.example/1.mp4' },
    ...{ created_at: START_MS, submit_time: START_MS, start_time: START_MS + 1000, finish_time: START_MS + 61_500 },
    image_url: expect.stringContaining(`https://gate.example/mj/image/${row!.task_id}?expires=`),
    ...{ buttons: '[{"label":"U1"}]', properties: '{"finalPrompt":"a gate"}' },
  }
  expect(await ann!.get('/api/mj/self')).toEqual({
    ...{ status: 200, success: true, message: '', data: [own], total: 1, capped: false },
  })
  expect(await items(admin!, '/api/mj/')).toEqual([{ ...own, channel_id: 7, username: ann!.username }])
  await setOption('MjForwardUrlEnabled', false)
  expect(await items(ann!, '/api/mj/self')).toMatchObject([{ image_url: 'https://cdn.example/1.png' }])
  await setOption('MjForwardUrlEnabled', true)
})

test('a song is told in seconds, with what was made; large results are left out', async () => {
  const times = { submit_ms: START_MS + 900, start_ms: START_MS + 1000, finish_ms: START_MS + 61_500 }
  const result = [{ title: 'Toll', audio_url: 'https://cdn.example/1.mp3' }]
  const [row] = await insertTasks(taskRow(ann!, { ...times, result, channel_id: 7, upstream_id: 'hidden-1' }))
  const seconds = START_MS / 1000
  const own = {
    ...{ id: row!.id, user_id: ann!.id, username: '', action: 'MUSIC', channel_id: 0, quota: 0, refunded: 0 },
    ...{ status: 'SUCCESS', progress: '100%', fail_reason: '', task_id: row!.task_id, platform: 'suno', data: result },
    ...{ created_at: seconds, updated_at: seconds + 61, properties: { input: 'A song' } },
    ...{ submit_time: seconds, start_time: seconds + 1, finish_time: seconds + 61 },
  }
  expect(await ann!.get('/api/task/self')).toMatchObject({ data: [own], total: 1 })
  expect(JSON.stringify(await ann!.get('/api/task/self'))).not.toContain('hidden-1')
  expect(await items(admin!, '/api/task/')).toEqual([{ ...own, channel_id: 7, username: ann!.username }])
  await insertTasks(
    taskRow(ann!, { platform: 'video', result: { url: `data:video/mp4;base64,${'A'.repeat(70_000)}` } }),
  )
  expect(await items(ann!, '/api/task/self')).toMatchObject([{ data: null, platform: 'video' }, { data: result }])
})

test('pages are counted from 0 and have ten rows, or as many as are asked for up to 100, newest first', async () => {
  const rows = Array.from({ length: 120 }, (_, at) =>
    taskRow(ann!, { submit_ms: START_MS + at, platform: at % 3 ? 'suno' : 'video' }),
  )
  const ids = (await insertTasks(...rows)).map(({ id }) => id).reverse()
  expect(await idsAt(ann!, '/api/task/self')).toEqual(ids.slice(0, 10))
  expect(await idsAt(ann!, '/api/task/self/?p=0')).toEqual(ids.slice(0, 10))
  expect(await idsAt(ann!, '/api/task/self?p=2')).toEqual(ids.slice(20, 30))
  expect(await idsAt(ann!, '/api/task/self?p=1&page_size=50')).toEqual(ids.slice(50, 100))
  expect(await idsAt(ann!, '/api/task/self?page_size=500')).toEqual(ids.slice(0, 100))
  expect(await idsAt(ann!, '/api/task/self?p=99')).toEqual([])
  expect((await ann!.get('/api/task/self?p=NaN&page_size=undefined')).total).toBe(120)
})

test('every combination of filters finds the rows that match it all, and their number', async () => {
  const random = seededRandom(7)
  const one = <Item>(list: readonly Item[]) => list[random(list.length)]!
  const people = [ann!, bob!]
  const actions = ['MUSIC', 'LYRICS']
  const rows = await insertTasks(
    ...Array.from({ length: 60 }, (_, at) =>
      taskRow(one(people), {
        ...{ submit_ms: START_MS + at * 1000, platform: one(['suno', 'video'] as const), action: one(actions) },
        ...{ channel_id: 1 + random(2), status: one(TASK_STATUSES), deleted_ms: random(5) ? 0 : 1 },
      }),
    ),
  )
  const combinations = TASK_STATUSES.flatMap(status =>
    [undefined, ...actions, 'none'].flatMap(action =>
      [undefined, 1].flatMap(channel =>
        [undefined, ann!, bob!].map(user => ({
          status,
          action,
          channel,
          user,
          id: one([undefined, one(rows).task_id]),
        })),
      ),
    ),
  )
  for (const { status, action, channel, user, id } of combinations) {
    const matches = rows
      .filter(
        row => row.status === status && (action ?? row.action) === row.action && (id ?? row.task_id) === row.task_id,
      )
      .reverse()
    const query = new URLSearchParams({
      status,
      ...(action && { action }),
      ...(id && { task_id: id }),
      page_size: '100',
    })
    const mine = matches.filter(row => row.user_id === ann!.id && row.deleted_ms === 0)
    const own = await ann!.get(`/api/task/self?${query}`)
    expect([`${query}`, own.data.map((row: any) => row.id), own.total]).toEqual([
      `${query}`,
      mine.map(row => row.id),
      mine.length,
    ])
    const all = matches.filter(
      row => (channel ?? row.channel_id) === row.channel_id && (user?.id ?? row.user_id) === row.user_id,
    )
    if (channel) query.set('channel_id', String(channel))
    if (user) query.set('username', user.username)
    const found = await admin!.get(`/api/task/?${query}`)
    expect([`${query}`, found.data.map((row: any) => row.id), found.total]).toEqual([
      `${query}`,
      all.map(row => row.id),
      all.length,
    ])
  }
})

test('drawings are filtered by id, state, action and times in milliseconds, administrators’ also by channel and user', async () => {
  const [one, two, other] = await insertTasks(
    drawingRowFor(ann!, { submit_ms: START_MS, upstream_id: 'a', channel_id: 7 }),
    drawingRowFor(ann!, { submit_ms: START_MS + 5000, upstream_id: 'b', action: 'UPSCALE', status: 'FAILURE' }),
    drawingRowFor(bob!, { submit_ms: START_MS + 9000, upstream_id: 'c', channel_id: 8 }),
  )
  const [a, b, c] = [one!.id, two!.id, other!.id]
  const own: [string, number[]][] = [
    ['mj_id=a', [a]],
    ['mj_id=c', []],
    ['status=FAILURE', [b]],
    ['action=UPSCALE&status=SUCCESS', []],
    [`start_timestamp=${START_MS + 1}`, [b]],
    [`start_timestamp=${START_MS}&end_timestamp=${START_MS}`, [a]],
    [`channel_id=7&username=${bob!.username}`, [b, a]],
    ['mj_id=&channel_id=&start_timestamp=0', [b, a]],
  ]
  for (const [query, found] of own) expect([query, await idsAt(ann!, `/api/mj/self/?${query}`)]).toEqual([query, found])
  const all: [string, number[]][] = [
    ['', [c, b, a]],
    ['channel_id=8', [c]],
    ['channel_id=8&status=FAILURE', []],
    [`username=${ann!.username}&status=SUCCESS`, [a]],
    ['username=nobody', []],
    ['mj_id=c', [c]],
  ]
  for (const [query, found] of all) expect([query, await idsAt(admin!, `/api/mj?${query}`)]).toEqual([query, found])
  expect((await ann!.get('/api/mj/self?status=ODD')).status).toBe(400)
  expect((await ann!.get('/api/mj/self?mj_id=%00')).status).toBe(400)
})

test('other tasks are filtered by id, platform and times in whole seconds', async () => {
  const [song, video] = await insertTasks(
    taskRow(ann!, { submit_ms: START_MS + 999 }),
    taskRow(ann!, { submit_ms: START_MS + 5000, platform: 'video', action: 'text_to_video' }),
  )
  const at = START_MS / 1000
  const cases: [string, number[]][] = [
    [`task_id=${song!.task_id}`, [song!.id]],
    ['platform=video', [video!.id]],
    ['platform=midjourney', []],
    [`end_timestamp=${at}`, [song!.id]],
    [`start_timestamp=${at + 1}`, [video!.id]],
  ]
  for (const [query, found] of cases)
    expect([query, await idsAt(ann!, `/api/task/self?${query}`)]).toEqual([query, found])
})

test('a drawing that its owner has deleted is nowhere for the owner, and stays for administrators', async () => {
  const [row] = await insertTasks(drawingRowFor(ann!, { deleted_ms: START_MS }))
  expect((await ann!.get('/api/mj/self')).total).toBe(0)
  expect(await idsAt(admin!, '/api/mj/')).toEqual([row!.id])
})

test('own lists are for users, those of all users for administrators', async () => {
  for (const path of ['/api/mj', '/api/task']) {
    expect((await ann!.get(`${path}/`)).status).toBe(403)
    expect((await anyone.get(`${path}/self`)).status).toBe(401)
    expect(await items(bob!, `${path}/self/`)).toEqual([])
  }
})

test('counting stops at 10,000', async () => {
  await insertTasks(taskRow(ann!), taskRow(ann!, { platform: 'video' }))
  await doubleTasks(13)
  expect(await ann!.get('/api/task/self')).toMatchObject({ total: 10_000, capped: true })
})
