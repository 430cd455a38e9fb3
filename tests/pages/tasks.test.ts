// @engine sqlite
/** The lists of drawings and of tasks without JavaScript, and the parts that are fetched. */
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { tasks } from '../../src/domain/tasks/table.ts'
import type { Language } from '../../src/locales/languages.ts'
import { now_ms } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { drawingRowFor, insertTasks, taskRow } from '../support/people/task-rows.ts'

const DRAWINGS = '/app/logs/drawing'
const TASKS = '/app/logs/tasks'
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let [ann, bob, admin]: Person[] = []
beforeAll(async () => {
  ;[ann, bob, admin] = [await visitor(), await visitor(), await visitor(Role.admin)]
})
beforeEach(async () => void (await db.delete(tasks)))

async function read(person: Person, path: string, language: Language = 'en', headers: Record<string, string> = {}) {
  const response = await person.page(path, { language, headers })
  const html = await response.text()
  const main = html.includes('<main') ? html.slice(html.indexOf('<main'), html.indexOf('</main>')) : html
  return { status: response.status, html: main, text: textOf(main) }
}

const textOf = (html: string) =>
  html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

const rowsIn = (html: string) => [...html.matchAll(/id="row-(\d+)"/g)].map(([, id]) => Number(id))
const linkIn = (html: string, text: string) =>
  new RegExp(`href="([^"]*)"[^>]*>(?:<svg.*?</svg>)?${text}<`).exec(html)![1]!.replaceAll('&amp;', '&')

/** As htmx asks for a part of the page. */
const part = (target: string) => ({
  ...{ 'hx-request': 'true', 'hx-request-type': 'partial', 'hx-target': target },
  'sec-fetch-site': 'same-origin',
})

test('a list says state, action and reason in words of both languages, with progress, cost and refund', async () => {
  const minute = { finish_ms: now_ms() + 61_000 }
  await insertTasks(
    drawingRowFor(ann!, { status: 'IN_PROGRESS', progress: 35, charged: 50_000 }),
    drawingRowFor(ann!, { action: 'UPSCALE', charged: 25_000, ...minute }),
    drawingRowFor(ann!, {
      ...{ action: 'LOW_VARIATION', status: 'FAILURE', fail_reason: 'timeout', charged: 50_000, refunded: 50_000 },
    }),
    drawingRowFor(ann!, { action: 'ODD', status: 'FAILURE', fail_reason: 'banned prompt' }),
  )
  const { text, html, status } = await read(ann!, DRAWINGS)
  expect(status).toBe(200)
  expect(text).toContain('Imagine A gate')
  for (const words of ['In progress 35%', 'Upscale', 'Succeeded 61.0 s', 'Failed: It was not finished in time'])
    expect(text).toContain(words)
  for (const words of ['refunded', 'ODD', 'Failed: banned prompt']) expect(text).toContain(words)
  expect([...html.matchAll(/class="money" value="(\d+)"/g)].map(([, quota]) => Number(quota))).toEqual([
    0, 25_000, 50_000,
  ])
  expect(html).toMatch(/class="dot bad">61\.0 s/)
  const { text: chinese } = await read(ann!, DRAWINGS, 'zh')
  for (const words of ['绘图记录', '进行中 35%', '放大', '成功', '失败: 未能按时完成', '已退款'])
    expect(chinese).toContain(words)
})

test('drawings are listed from 30 days ago, tasks from the start of today, both up to one hour ahead', async () => {
  const [, month, future] = await insertTasks(
    drawingRowFor(ann!, { submit_ms: now_ms() - 31 * DAY_MS }),
    drawingRowFor(ann!, { submit_ms: now_ms() - 28 * DAY_MS }),
    drawingRowFor(ann!, { submit_ms: now_ms() + HOUR_MS - 60_000 }),
    drawingRowFor(ann!, { submit_ms: now_ms() + HOUR_MS + 60_000 }),
  )
  expect(rowsIn((await read(ann!, DRAWINGS)).html)).toEqual([future!.id, month!.id])
  const [today, yesterday] = await insertTasks(
    taskRow(ann!, { submit_ms: now_ms() }),
    taskRow(ann!, { submit_ms: now_ms() - DAY_MS - 60_000 }),
  )
  expect(rowsIn((await read(ann!, TASKS)).html)).toEqual([today!.id])
  expect(rowsIn((await read(ann!, `${TASKS}?range=3d`)).html)).toEqual([today!.id, yesterday!.id])
})

test('filters are state, action, id and range, for administrators also user and channel', async () => {
  const [song, video, other] = await insertTasks(
    taskRow(ann!, { channel_id: 7, submit_ms: now_ms() - 2 }),
    taskRow(ann!, { platform: 'video', action: 'text_to_video', status: 'QUEUED', submit_ms: now_ms() - 1 }),
    taskRow(bob!, { status: 'FAILURE', submit_ms: now_ms() }),
  )
  const found = async (person: Person, query: string) => rowsIn((await read(person, `${TASKS}?${query}`)).html)
  expect(await found(ann!, 'state=unfinished')).toEqual([video!.id])
  expect(await found(ann!, 'state=SUCCESS')).toEqual([song!.id])
  expect(await found(ann!, 'action=text_to_video')).toEqual([video!.id])
  expect(await found(ann!, `task=${song!.task_id}`)).toEqual([song!.id])
  expect(await found(ann!, `username=${bob!.username}&channel=8`)).toEqual([video!.id, song!.id])
  expect(await found(admin!, '')).toEqual([other!.id, video!.id, song!.id])
  expect(await found(admin!, `username=${ann!.username}`)).toEqual([video!.id, song!.id])
  expect(await found(admin!, 'channel=7')).toEqual([song!.id])
  const { text } = await read(ann!, `${TASKS}?state=FAILURE`)
  expect(text).toContain('No matching tasks.')
})

test('a long list goes on behind its last row, by a link and as a part', async () => {
  const rows = Array.from({ length: 45 }, (_, at) => drawingRowFor(ann!, { submit_ms: now_ms() - at * 1000 }))
  const ids = (await insertTasks(...rows)).map(({ id }) => id)
  const first = await read(ann!, DRAWINGS)
  expect(rowsIn(first.html)).toEqual(ids.slice(0, 20))
  const more = linkIn(first.html, 'Show more')
  const second = await read(ann!, more)
  expect(rowsIn(second.html)).toEqual(ids.slice(20, 40))
  expect(second.text).toContain('Back to the newest')
  const third = await read(ann!, linkIn(second.html, 'Show more'), 'en', part('tbody#more'))
  expect(third.html.startsWith('<tbody')).toBe(true)
  expect(rowsIn(third.html)).toEqual(ids.slice(40))
  expect(third.text).not.toContain('Show more')
})

test('rows refresh by themselves as long as one of them is unfinished', async () => {
  const [done, open] = await insertTasks(
    taskRow(ann!, { submit_ms: now_ms() - 1 }),
    taskRow(ann!, { status: 'QUEUED', progress: 20 }),
  )
  const [foreign] = await insertTasks(taskRow(bob!))
  const { html } = await read(ann!, TASKS)
  const [, address] = /<tbody[^>]*hx-get="([^"]*)"[^>]*hx-trigger="every 5s/.exec(html)!
  expect(address).toBe(`${TASKS}/rows?ids=${open!.id}%2C${done!.id}`)
  await db.update(tasks).set({ status: 'SUCCESS', progress: 100 })
  const target = part(`tbody#part-${open!.id}`)
  const refreshed = await read(ann!, `${TASKS}/rows?ids=${open!.id},${done!.id},${foreign!.id}`, 'en', target)
  expect(rowsIn(refreshed.html)).toEqual([open!.id, done!.id])
  expect(refreshed.html).toContain(`id="part-${open!.id}"`)
  expect(refreshed.html).not.toContain('every 5s')
  expect((await read(ann!, `${TASKS}/rows?ids=${open!.id}`)).html).toContain('<h1>')
})

test('an open task shows what it has made, its facts and its bill; what is raw is folded', async () => {
  const song = { title: 'Night toll', audio_url: 'https://a.example/1.mp3', image_url: 'https://a.example/1.png' }
  const metadata = { tags: 'folk', duration: 92.5, prompt: 'Raise the gate' }
  const result = [{ id: 'clip-1', ...song, metadata }, 'odd', { title: 3 }]
  const money = { charged: 50_000, refunded: 0, request_id: 'req-of-ann' }
  const [row] = await insertTasks(taskRow(ann!, { result, ...money, channel_id: 7, upstream_id: 'upstream-9' }))
  const { html, text } = await read(ann!, `${TASKS}?open=${row!.id}`)
  expect(text).toContain('Night toll 1:32')
  expect(html).toMatch(new RegExp(`<audio[^>]*src="/v1/tasks/${row!.task_id}/files/audio-0\\?expires=`))
  for (const words of ['folk', 'Raise the gate', 'Untitled song', 'req-of-ann', '$0.100000'])
    expect(text).toContain(words)
  expect(html).toMatch(/<details[^>]*><summary[^>]*>Raw answer/)
  for (const hidden of ['upstream-9', 'node-1', '#7', 'Ask now']) expect(html).not.toContain(hidden)
  const { text: whole } = await read(admin!, `${TASKS}?open=${row!.id}`)
  for (const words of ['upstream-9', 'node-1', '#7', ann!.username]) expect(whole).toContain(words)
  expect((await read(bob!, `${TASKS}?open=${row!.id}`)).html).not.toContain('Night toll')
  expect((await read(admin!, `${DRAWINGS}?open=${row!.id}`)).html).not.toContain('Night toll')
})

test('lyrics, videos and texts are shown as what they are', async () => {
  const [lyrics, video, text] = await insertTasks(
    taskRow(ann!, { action: 'LYRICS', result: { title: 'Rain', text: 'First verse' } }),
    taskRow(ann!, { platform: 'video', action: 'text_to_video', result: { url: 'https://a.example/1.mp4' } }),
    drawingRowFor(ann!, {
      action: 'DESCRIBE',
      result: {
        ...{ prompt: 'A gate in rain', promptEn: 'gate', description: 'seen' },
        urls: ['https://a.example/sent.png', "javascript:open('https://a.example')"],
      },
    }),
  )
  expect((await read(ann!, `${TASKS}?open=${lyrics!.id}`)).text).toContain('Rain First verse')
  expect((await read(ann!, `${TASKS}?open=${video!.id}`)).html).toMatch(
    new RegExp(`<video[^>]*src="/v1/tasks/${video!.task_id}/files/video\\?`),
  )
  const described = await read(ann!, `${DRAWINGS}?open=${text!.id}`)
  expect(described.text).toContain('A gate in rain')
  expect(described.html).toContain('href="https://a.example/sent.png"')
  expect(described.html).not.toMatch(/href="(?:javascript:|")/)
})

test('a drawing opens in the viewer, with the names of its buttons and the way to its neighbours', async () => {
  const result = {
    ...{ imageUrl: 'https://a.example/1.png', promptEn: 'a gate' },
    buttons: [{ label: 'U1' }, { label: '', emoji: '🔄' }, { odd: 1 }, 'odd'],
  }
  const [older, middle, newer] = await insertTasks(
    ...[3, 2, 1].map(at => drawingRowFor(ann!, { submit_ms: now_ms() - at * 1000, result })),
  )
  const { html, text } = await read(ann!, `${DRAWINGS}?open=${middle!.id}`)
  expect(html).toMatch(new RegExp(`<img[^>]*src="/v1/tasks/${middle!.task_id}/files/image\\?`))
  expect(text).toContain('U1 · 🔄')
  expect(html).toMatch(new RegExp(`href="${DRAWINGS}\\?open=${newer!.id}"[^>]*aria-label="Newer drawing"`))
  expect(html).toMatch(new RegExp(`href="${DRAWINGS}\\?open=${older!.id}"[^>]*aria-label="Older drawing"`))
  for (const name of ['Zoom in', 'Zoom out', 'Whole picture', 'Close']) expect(html).toContain(`aria-label="${name}"`)
})

test('prompts have dialogs of their own', async () => {
  const input = { prompt: '一座门\n在雨中' }
  const [row] = await insertTasks(drawingRowFor(ann!, { input, result: { promptEn: 'A gate\nin the rain' } }))
  const own = await read(ann!, `${DRAWINGS}?prompt=${row!.id}`)
  expect(own.html).toContain('一座门\n在雨中')
  const english = await read(ann!, linkIn(own.html, 'English prompt'))
  expect(english.html).toContain('A gate\nin the rain')
})

test('columns can be hidden, and the export has every task of the search', async () => {
  const rows = Array.from({ length: 130 }, (_, at) =>
    drawingRowFor(ann!, { submit_ms: now_ms() - at * 1000, channel_id: 7, input: { prompt: `gate ${at}` } }),
  )
  await insertTasks(...rows, drawingRowFor(bob!))
  const csv = async (person: Person) => (await (await person.fetch(`${DRAWINGS}/export.csv`)).text()).trim().split('\n')
  const own = await csv(ann!)
  expect(own).toHaveLength(131)
  expect(own[0]).toContain('Time,Action,Model,Prompt,English prompt,State')
  expect(own[1]).toContain('Imagine,mj_imagine,gate 0,')
  expect(own.join('\n')).not.toContain('#7')
  const all = await csv(admin!)
  expect(all).toHaveLength(132)
  expect(all[0]).toContain('Time,User,Action')
  expect(all.join('\n')).toContain('#7')
  const hidden = await ann!.form(`${DRAWINGS}/columns`, { 'columns[]': ['state'] })
  const cookie = `${ann!.cookie}; ${hidden.headers.get('set-cookie')!.split(';')[0]}`
  const { html } = await read(ann!, DRAWINGS, 'en', { cookie })
  expect([...html.matchAll(/<th[^>]*scope="col">([^<]*)/g)].map(([, head]) => head)).toEqual([
    ...['Time', 'Action', 'State', 'Cost'],
  ])
})

test('the menu follows the options, and callbacks are announced where they are on', async () => {
  const menu = async () => {
    const html = await (await ann!.page('/app/tokens')).text()
    return [DRAWINGS, TASKS].map(path => html.includes(`href="${path}"`))
  }
  expect(await menu()).toEqual([true, true])
  await setOption('DrawingEnabled', false)
  expect(await menu()).toEqual([false, true])
  await setOption('TaskEnabled', false)
  expect(await menu()).toEqual([false, false])
  await setOption('DrawingEnabled', true)
  await setOption('TaskEnabled', true)
  expect((await read(ann!, DRAWINGS)).text).not.toContain('Callbacks are on')
  await setOption('MjNotifyEnabled', true)
  expect((await read(ann!, DRAWINGS)).text).toContain('Callbacks are on')
  expect((await read(ann!, TASKS)).text).not.toContain('Callbacks are on')
  await setOption('MjNotifyEnabled', false)
})
