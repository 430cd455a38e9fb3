// @engine sqlite
/** Budgets in a browser: a key with a monthly limit is made, used up, refused, and opens again in the next month. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import type { Language } from '../../src/locales/languages.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { makeBudget } from '../support/people/budgets.ts'
import { Client, quotaOf, RICH } from '../support/people/client.ts'
import { type Person, setUp, signedInAgain, visitor } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { casesInTier } from '../support/tier.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

// A call costs 0.10 USD.
const usage = { prompt_tokens: 40_000, completion_tokens: 0 }
const { id: channel } = await channelTo(await startUpstream(chat({ usage })))
await setOption('PreConsumedQuota', 0)
expect(quotaOf(40_000, 0)).toBe(50_000)

const words = {
  en: {
    create: 'Create API key',
    name: 'Name',
    limit: 'Limit',
    save: 'Save',
    used: '$0.10 of $0.10',
    again: 'opens again',
  },
  zh: {
    create: '新建 API 密钥',
    name: '名称',
    limit: '限额',
    save: '保存',
    used: '已用 $0.10 / $0.10',
    again: '下次重置',
  },
}

/** The first second of the next month, in UTC. */
function nextMonth(at: number): number {
  const day = new Date(at * 1000)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1) / 1000
}

async function makeKey(page: Page, language: Language) {
  const { create, name, limit } = words[language]
  const form = page.getByRole('dialog')
  await form.getByLabel(name, { exact: true }).fill('crawler')
  await form.getByLabel(limit, { exact: true }).fill('0.1')
  await form.getByRole('button', { name: create }).click()
  await page.getByText('crawler').first().waitFor()
}

async function shows(page: Page) {
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
}

/** The short tier has each language, each width, and the page with and without a script. */
const visits = [
  ['en', 'desktop', true],
  ['zh', 'phone', false],
  ['zh', 'phone', true],
  ['en', 'desktop', false],
] as const

for (const [language, screen, javascript] of casesInTier(visits, 0, 2)) {
  test(
    `a key with a monthly limit is used up, refused and opens again: ${language}, ${screen}, script ${javascript}`,
    async () => {
      let ann: Person = await visitor(1, RICH)
      let page = await visit(ann, '/app/tokens?new', { language, screen, javascript })
      if (javascript) await shows(page)
      await makeKey(page, language)
      const { data } = await ann.get('/api/token/')
      const [{ id, key }] = data
      const caller = new Client(ann, key)
      expect((await caller.chat({ max_tokens: 1 })).status).toBe(200)
      const refused = await caller.chat({ max_tokens: 1 })
      expect(refused.status).toBe(429)
      expect(refused.headers.get('x-tollgate-budget-reset')).toEndWith('-01T00:00:00Z')
      expect(Number(refused.headers.get('retry-after'))).toBe(nextMonth(now()) - now())
      expect((await errorOf(refused)).code).toBe('budget_exhausted')
      await page.goto(`/app/tokens?edit=${id}`)
      const meter = page.getByRole('meter')
      expect(await meter.getAttribute('aria-valuetext')).toBe(words[language].used)
      await page.getByText(words[language].again).waitFor()
      if (javascript) await shows(page)
      await leave(page)
      shiftClock(nextMonth(now()) - now())
      try {
        expect((await caller.chat({ max_tokens: 1 })).status).toBe(200)
        ann = await signedInAgain(ann)
        page = await visit(ann, `/app/tokens?edit=${id}`, { language, screen, javascript })
        expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toBe(words[language].used)
      } finally {
        resetStores('clock')
      }
      expect(problemsOf(page)).toEqual([])
    },
    PAGE_TEST_TIMEOUT_MS,
  )
}

test(
  'a budget is added, changed and deleted in the drawers of a key',
  async () => {
    const ann = await visitor(1, RICH)
    const { id } = (await ann.post('/api/token/', { name: 'crawler' })).data
    const budgets = async () => (await ann.get(`/api/budget/self?owner_id=${id}`)).data
    const page = await visit(ann, `/app/tokens?edit=${id}`)
    await page.getByRole('link', { name: 'Add budget' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name', { exact: true }).fill('Coding plan')
    await form.getByLabel('Amount').fill('0')
    await form.getByLabel('Unit', { exact: true }).selectOption('calls')
    await form.getByLabel('Renews').selectOption('rolling')
    expect(await form.getByLabel('Time zone').isVisible()).toBe(false)
    await form.getByRole('button', { name: 'Add budget' }).click()
    await form.getByText('Enter an amount above 0').waitFor()
    await shows(page)
    await form.getByLabel('Amount').fill('20')
    await form.getByRole('button', { name: 'Add budget' }).click()
    await page.getByText('Added the budget Coding plan').waitFor()
    expect(await budgets()).toMatchObject([
      { name: 'Coding plan', unit: 'calls', amount: 20, window: 'rolling', seconds: 18_000, refuses: true },
    ])
    await page.getByRole('link', { name: 'Coding plan' }).click()
    await form.getByLabel('Amount').fill('30')
    await form.getByLabel('Refuses calls').uncheck()
    await shows(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved the budget Coding plan').waitFor()
    expect(await budgets()).toMatchObject([{ amount: 30, refuses: false }])
    await page.getByRole('link', { name: 'Coding plan' }).click()
    await page.getByRole('link', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted the budget Coding plan').waitFor()
    expect(await budgets()).toEqual([])
    expect(problemsOf(page).filter(problem => !problem.includes('422'))).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'budgets in the drawers of user and channel pass axe and do not overflow',
  async () => {
    const [root, ann] = [await setUp(), await visitor()]
    const long = 'A name of a budget as long as fifty characters are'
    const user = await makeBudget('user', ann.id, {
      name: long,
      unit: 'quota',
      amount: 5_000_000,
      window: 'month',
      zone: 'Asia/Shanghai',
    })
    await makeBudget('user', ann.id, {
      name: 'Tokens',
      unit: 'tokens',
      amount: 2_000_000,
      window: 'rolling',
      seconds: 18_000,
      models: ['gpt-4o', 'gpt-4o-mini'],
    })
    await makeBudget('channel', channel, {
      name: 'Calls',
      amount: 3,
      window: 'fixed',
      seconds: 604_800,
      refuses: false,
    })
    const paths = [
      `/admin/users?edit=${ann.id}`,
      `/admin/users?budget=${user.id}`,
      `/admin/users?new_budget=${ann.id}`,
      `/admin/users?delete_budget=${user.id}`,
      `/admin/channels?edit=${channel}`,
      `/admin/channels?new_budget=${channel}`,
    ]
    for (const [screen, theme, language] of looksInTier([
      ['phone', 'gate-night', 'zh'],
      ['desktop', 'gate', 'en'],
    ] as const)) {
      for (const path of paths) {
        const page = await visit(root, path, { screen, theme, language })
        await shows(page)
        await leave(page)
      }
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)
