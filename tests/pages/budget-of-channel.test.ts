// @engine sqlite
/** A budget of a channel in a browser: set in its drawer, it sends calls to the next channel, and the drawer shows how full it is. */
import { beforeEach, expect, test } from 'bun:test'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { budgetsOf } from '../support/people/budgets.ts'
import { client } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const root = await setUp()
beforeEach(deleteChannels)

const words = {
  en: {
    add: 'Add budget',
    name: 'Name',
    amount: 'Amount',
    unit: 'Unit',
    renews: 'Renews',
    share: '2 of 2 calls',
    left: '0 calls left',
  },
  zh: {
    add: '添加预算',
    name: '名称',
    amount: '额度',
    unit: '单位',
    renews: '重置方式',
    share: '已用 2 / 2 次调用',
    left: '剩余 0 次调用',
  },
} as const

test.each(
  looksInTier([
    ['desktop', 'en', 'gate', true],
    ['phone', 'zh', 'gate-night', true],
    ['phone', 'en', 'gate', false],
    ['desktop', 'zh', 'gate-night', true],
    ['phone', 'en', 'gate-night', true],
    ['desktop', 'zh', 'gate', false],
  ] as const),
)(
  'a budget of a channel is made, used up and passed over for the next channel: %s, %s, %s, script %p',
  async (screen, language, theme, javascript) => {
    const first = await served(chat(), { name: 'limited', priority: 10 })
    const second = await served(chat(), { name: 'next' })
    const look = { screen, language, theme, javascript }
    const { add, name, amount, unit, renews, share, left } = words[language]
    const page = await visit(root, `/admin/channels?edit=${first.id}`, look)
    await page.getByRole('link', { name: add }).click()
    const form = page.getByRole('dialog').filter({ has: page.getByLabel(renews) })
    await form.getByLabel(name, { exact: true }).fill('Contract')
    await form.getByLabel(amount).fill('2')
    await form.getByLabel(unit, { exact: true }).selectOption('calls')
    await form.getByLabel(renews).selectOption('day')
    await form.getByRole('button', { name: add }).click()
    await page.getByRole('meter', { name: 'Contract' }).waitFor()
    const [budget] = await budgetsOf('channel', first.id)
    expect(budget).toMatchObject({ name: 'Contract', unit: 'calls', amount: 2, window: 'day', used: 0 })

    const ann = await client()
    for (let call = 0; call < 5; call++) expect((await ann.chat()).status).toBe(200)
    expect([first.calls(), second.calls()]).toEqual([2, 3])

    await page.goto(`/admin/channels?edit=${first.id}`)
    const meter = page.getByRole('meter', { name: 'Contract' })
    expect(await meter.getAttribute('aria-valuetext')).toBe(share)
    expect(await meter.getAttribute('aria-valuenow')).toBe('2')
    await page.getByText(left).waitFor()
    if (javascript) expect(await accessibilityViolations(page)).toEqual([])
    expect(await overflows(page)).toBe(false)
    expect(problemsOf(page)).toEqual([])
    await leave(page)
  },
  PAGE_TEST_TIMEOUT_MS,
)
