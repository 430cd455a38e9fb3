// @engine sqlite
/** The dashboard in a browser: pointer and keys on the charts, filters, refresh, and every screen. */
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { DASHBOARD_PATH } from '../../src/contracts/dashboard.ts'
import { countFailure } from '../../src/domain/usage/index.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { spend } from '../support/people/usage-log.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const HOUR = 3600
const USD = 500_000

let admin: Person
let ann: Person
/** 14:30 UTC of this day. */
let at: number

beforeAll(async () => {
  holdClock(true)
  at = now() - (now() % (24 * HOUR)) + 14.5 * HOUR
  shiftClock(at - now())
  const { id: channel_id } = await makeChannel(await setUp())
  admin = await visitor(Role.admin)
  ann = await visitor(Role.user, 100 * USD)
  for (let hour = 0; hour <= 14; hour++)
    for (let model = 0; model < 10; model++)
      await spend(ann, { quota: (model + 1) * 1000, model: `model-${model}`, at: at - hour * HOUR, channel_id })
  shiftClock(at - now())
  countFailure({ user_id: ann.id, token_id: 0, channel_id, model: 'model-1', group: 'default' })
  await flushBuffers()
})

const chart = (page: Page) => page.locator('tollgate-chart').first()
const tip = (page: Page) => chart(page).locator('.tip')

test(
  'a chart shows the exact figures of the hour under the pointer, and of the hours that the arrow keys reach',
  async () => {
    const page = await visit(ann, `${DASHBOARD_PATH}?range=today`)
    const { x, y, width, height } = (await chart(page).locator('svg:visible').boundingBox())!
    // The hour from 10:00 is the eleventh of 24.
    const { first, step } = await chart(page)
      .locator('svg:visible .band')
      .evaluate(band => Object.assign({ first: '', step: '' }, (band as SVGElement).dataset))
    await page.mouse.move(x + ((Number(first) + Number(step) * 10.5) * width) / 1128, y + height / 2)
    await tip(page).getByText('10:00–11:00').waitFor()
    expect(await tip(page).locator('tfoot .number').textContent()).toBe('$0.110000')
    expect(await tip(page).locator('tbody tr').count()).toBe(5)
    await page.mouse.move(0, 0)
    await tip(page).waitFor({ state: 'hidden' })

    await chart(page).focus()
    await page.keyboard.press('End')
    await tip(page).getByText('14:00–15:00').waitFor()
    await page.keyboard.press('ArrowLeft')
    await tip(page).getByText('13:00–14:00').waitFor()
    const announced = await chart(page).locator('[aria-live]').textContent()
    expect([announced!.startsWith('13:00–14:00, $0.110000, '), announced!.includes('model-9 $0.020000')]).toEqual([
      true,
      true,
    ])
    await page.keyboard.press('Escape')
    await tip(page).waitFor({ state: 'hidden' })
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'filters, the table and a refresh change the page in place',
  async () => {
    const page = await visit(admin, DASHBOARD_PATH)
    // Hours of a week would be hair-thin.
    await page.getByLabel('Range').selectOption('7d')
    await page.waitForURL('**range=7d**')
    expect(await page.getByLabel('Granularity').inputValue()).toBe('day')
    await page.getByLabel('Range').selectOption('30d')
    await page.waitForURL('**range=30d**')
    await page.getByLabel('Granularity').selectOption('week')
    await page.waitForURL('**by=week**')
    await page.getByLabel('Granularity').selectOption('day')
    await page.waitForURL('**by=day**')
    await page.getByLabel('Whose usage').selectOption('own')
    await page.locator('#dashboard').getByText('No calls in this range.').waitFor()
    await page.getByLabel('Whose usage').selectOption('all')
    await page.getByRole('link', { name: 'Table' }).click()
    await page.getByLabel('Rows').selectOption('user')
    await page.getByLabel('Second level').selectOption('model')
    await page.getByRole('table', { name: 'By user, then by model' }).waitFor()

    await spend(ann, { quota: 70 * USD, model: 'model-1', at })
    await page.evaluate(() => document.getElementById('dashboard')!.dispatchEvent(new Event('every')))
    await page.getByText('$71.65').first().waitFor()
    expect(await page.getByLabel('Range').inputValue()).toBe('30d')
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.waitForURL('**sort=calls**')
    await page.getByRole('link', { name: ann.username }).click()
    await page.getByRole('table', { name: 'By model', exact: true }).waitFor()
    const line = page.getByRole('row').filter({ hasText: 'model-1' })
    await line.getByRole('link', { name: '1', exact: true }).first().click()
    await page.waitForURL('**/logs/**')
    await page.getByRole('heading', { name: 'Usage log' }).waitFor()
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the dashboard has no accessibility violations and does not scroll sideways, in all looks',
  async () => {
    for (const [screen, theme, language, query] of looksInTier([
      ['desktop', 'gate', 'en', '?range=today'],
      ['desktop', 'gate-night', 'zh', '?range=7d&as=table&rows=user&split=model'],
      ['tablet', 'gate', 'zh', '?range=30d'],
      ['phone', 'gate-night', 'en', '?range=today'],
      ['phone', 'gate', 'zh', '?range=today&as=table&rows=user&split=model'],
    ] as const)) {
      const page = await visit(admin, DASHBOARD_PATH + query, { screen, theme, language })
      const found = [
        screen,
        theme,
        language,
        await accessibilityViolations(page),
        await overflows(page),
        problemsOf(page),
      ]
      expect(found).toEqual([screen, theme, language, [], false, []])
      await leave(page)
    }
    const page = await visit(admin, `${DASHBOARD_PATH}?range=90d&as=table&rows=day&split=model`, {
      screen: 'phone',
      language: 'zh',
    })
    expect([await overflows(page), problemsOf(page)]).toEqual([false, []])
  },
  PAGE_TEST_TIMEOUT_MS,
)
