// @engine sqlite
/** Drawings, songs and videos in Chromium: imagined, watched, upscaled, looked at, played; what failed says why. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { tasks } from '../../src/domain/tasks/table.ts'
import { now_ms } from '../../src/process/clock.ts'
import {
  accessibilityViolations,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { drawer, drawerClosed, toast } from '../support/browser/walks.ts'
import { setEnv } from '../support/env.ts'
import { FILM, PICTURE, SOUND } from '../support/media-files.ts'
import { type Client, client } from '../support/people/client.ts'
import { asked, begun, lookAround } from '../support/people/drawings.ts'
import { visitor } from '../support/people/person.ts'
import { drawingRowFor, insertTasks, taskRow } from '../support/people/task-rows.ts'
import { rowOf, submitted } from '../support/people/tasks.ts'
import { drawingChannel, drawn, midjourneyUpstream } from '../support/upstream/midjourney.ts'
import { song, sunoUpstream } from '../support/upstream/suno.ts'
import { sunoChannel } from '../support/upstream/suno-channel.ts'

const DRAWINGS = '/app/logs/drawing'
const TASKS = '/app/logs/tasks'

const painter = await midjourneyUpstream()
await drawingChannel(painter)
const singer = await sunoUpstream()
await sunoChannel(singer)

const types: Record<string, [string, Uint8Array<ArrayBuffer>]> = {
  '/drawing.png': ['image/png', PICTURE],
  '/song.wav': ['audio/wav', SOUND],
  '/film.webm': ['video/webm', FILM],
}
const files = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch(request) {
    const [type, bytes] = types[new URL(request.url).pathname]!
    return new Response(bytes, { headers: { 'content-type': type } })
  },
})
afterAll(() => files.stop(true))
const at = (path: string) => `http://127.0.0.1:${files.port}${path}`

let ann: Client
beforeEach(async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  await db.delete(tasks)
  ann = await client()
})

/** Nothing that axe finds, nothing that scrolls sideways, at both widths; axe looks at one of them in the short tier. */
async function looksWell(page: Page) {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const violations = width === 390 && process.env.TIER !== 'long' ? [] : await accessibilityViolations(page)
    expect([width, violations, await overflows(page)]).toEqual([width, [], false])
  }
}

/** The same list, dialog and all, in the other language. */
async function looksWellIn(language: 'en' | 'zh', page: Page, text: string): Promise<Page> {
  const { pathname, search } = new URL(page.url())
  const other = await visit(ann.person, pathname + search, { language })
  await drawer(other).getByText(text).first().waitFor()
  if (process.env.TIER === 'long') await looksWell(other)
  else expect(await overflows(other)).toBe(false)
  expect(problemsOf(other)).toEqual([])
  return other
}

const rowWith = (page: Page, text: string) => page.locator('main tbody tr', { hasText: text })
const isShown = (page: Page) =>
  page.waitForFunction(() => (document.querySelector<HTMLImageElement>('dialog img')?.naturalWidth ?? 0) > 0)
const plays = (page: Page, kind: 'audio' | 'video') =>
  page.waitForFunction(async kind => {
    const media = document.querySelector<HTMLMediaElement>(`dialog ${kind}`)
    if (!media) return false
    media.muted = true
    await media.play()
    return media.currentTime > 0
  }, kind)

test(
  'a drawing is imagined, watched, upscaled and looked at',
  async () => {
    const id = await begun(ann, '/mj/submit/imagine', { prompt: 'A toll gate at dawn' })
    const page = await visit(ann.person, DRAWINGS)
    await rowWith(page, 'Imagine').filter({ hasText: 'Submitted' }).waitFor()
    painter.tells(id, { status: 'IN_PROGRESS', progress: '40%', startTime: now_ms() })
    await lookAround()
    await rowWith(page, 'Imagine').filter({ hasText: '40%' }).waitFor()
    painter.tells(id, drawn(at('/drawing.png')))
    await lookAround()
    await rowWith(page, 'Imagine').filter({ hasText: 'Succeeded' }).waitFor()
    await page.locator('tbody[hx-trigger]').waitFor({ state: 'detached' })

    const [button] = painter.tasks.get(id)!.buttons
    const { result } = (await asked(ann, '/mj/submit/action', { taskId: id, customId: button.customId })).body
    painter.tells(result, drawn(at('/drawing.png')))
    await lookAround()
    await page.reload()
    await looksWell(page)
    await rowWith(page, 'Upscale').getByRole('link', { name: 'Upscale' }).click()
    await isShown(page)
    await drawer(page).getByRole('heading', { name: 'Upscale' }).waitFor()
    await looksWell(page)
    await isShown(await looksWellIn('zh', page, '放大'))

    const scale = () =>
      drawer(page)
        .locator('img')
        .evaluate(image => new DOMMatrix(getComputedStyle(image).transform).a)
    await page.keyboard.press('+')
    expect(await scale()).toBeCloseTo(1.5)
    await drawer(page).getByRole('button', { name: 'Zoom in' }).click()
    expect(await scale()).toBeCloseTo(2.25)
    await page.keyboard.press('0')
    expect(await scale()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await drawer(page).getByRole('heading', { name: 'Imagine' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await drawer(page).getByRole('heading', { name: 'Upscale' }).waitFor()
    await drawer(page).getByRole('link', { name: 'A toll gate at dawn' }).click()
    await page.getByRole('heading', { name: 'Prompt' }).waitFor()
    await page.keyboard.press('Escape')
    await drawerClosed(page)
    expect(await page.locator('main tbody tr[id]').count()).toBe(2)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a song plays in its dialog, and so does a video',
  async () => {
    const { upstream_id } = await rowOf(await submitted(ann))
    singer.tells(upstream_id, {
      status: 'SUCCESS',
      data: [{ ...song(), audio_url: at('/song.wav'), image_url: at('/drawing.png') }],
    })
    await lookAround()
    await insertTasks(
      taskRow(ann.person, {
        platform: 'video',
        action: 'text_to_video',
        result: { url: `data:video/webm;base64,${Buffer.from(FILM).toString('base64')}` },
      }),
    )
    const page = await visit(ann.person, TASKS, { language: 'zh' })
    await looksWell(page)
    await page.getByRole('link', { name: '歌曲' }).first().click()
    await drawer(page).getByRole('heading', { name: 'Night toll' }).waitFor()
    await plays(page, 'audio')
    await looksWell(page)
    await plays(await looksWellIn('en', page, 'Night toll'), 'audio')
    await page.keyboard.press('Escape')
    await drawerClosed(page)
    await page.getByRole('link', { name: '文生视频' }).first().click()
    await plays(page, 'video')
    await looksWell(page)
    await plays(await looksWellIn('en', page, 'Video from text'), 'video')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a failed task shows why, and that it was refunded',
  async () => {
    const id = await begun(ann)
    painter.tells(id, { status: 'FAILURE', failReason: 'The prompt is banned' })
    await lookAround()
    const page = await visit(ann.person, DRAWINGS)
    await rowWith(page, 'Failed: The prompt is banned').filter({ hasText: 'refunded' }).waitFor()
    await page.getByRole('link', { name: 'Imagine' }).click()
    await drawer(page).getByText('charged $0.100000, refunded $0.100000').waitFor()
    await looksWell(page)
    await looksWellIn('zh', page, '已退款')
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'more rows are fetched when the last one is reached, and stay while a task is open',
  async () => {
    const rows = Array.from({ length: 50 }, (_, at) => drawingRowFor(ann.person, { submit_ms: now_ms() - at * 1000 }))
    await insertTasks(...rows)
    const page = await visit(ann.person, DRAWINGS)
    const shown = page.locator('main tbody tr[id]')
    expect(await shown.count()).toBeLessThan(50)
    while ((await shown.count()) < 50) await page.mouse.wheel(0, 2000)
    await page.getByRole('link', { name: 'Show more' }).waitFor({ state: 'detached' })
    await shown.last().getByRole('link', { name: 'Imagine' }).click()
    await drawer(page).waitFor()
    await page.keyboard.press('Escape')
    await drawerClosed(page)
    expect(await shown.count()).toBe(50)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'an administrator asks at once, and fails with a refund',
  async () => {
    const admin = await visitor(Role.admin)
    const id = await begun(ann)
    const page = await visit(admin, DRAWINGS)
    await page.getByRole('link', { name: 'Imagine' }).click()
    painter.tells(id, { status: 'IN_PROGRESS', progress: '70%' })
    await drawer(page).getByRole('button', { name: 'Ask now' }).click()
    await toast(page).filter({ hasText: 'In progress' }).waitFor()
    await drawer(page).getByText('70%', { exact: true }).waitFor()
    await looksWell(page)
    await drawer(page).getByRole('link', { name: 'Fail and refund' }).click()
    await drawer(page).getByText('goes back to').waitFor()
    await drawer(page).getByRole('button', { name: 'Fail and refund' }).click()
    await rowWith(page, 'An administrator marked it as failed').waitFor()
    await drawerClosed(page)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
