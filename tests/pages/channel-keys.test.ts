// @engine sqlite
/** Keys, cooldowns, tests and models of a channel in the drawer. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator } from 'playwright'
import { jobsDone } from '../../src/cluster/leases.ts'
import { Role } from '../../src/contracts/account.ts'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { toast } from '../support/browser/walks.ts'
import { client } from '../support/people/client.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { channelNow, storedChannel } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const PATH = '/admin/channels'
const admin = await visitor(Role.admin)

beforeAll(async () => {
  await deleteChannels()
  await setOption('AutomaticDisableChannelEnabled', true)
})
afterAll(() => setOption('AutomaticDisableChannelEnabled', false))

/** One of three keys is refused, another at its limit. */
async function troubled(name: string) {
  const keys = 'sk-good-key-1111,sk-lost-key-2222,sk-full-key-3333'
  const channel = await served(
    (call, answer) =>
      call.key === 'sk-full-key-3333' ? refuses(429, { 'retry-after': '300' })(call, answer) : chat()(call, answer),
    { name, key: keys },
  )
  channel.upstream.keys.delete('sk-lost-key-2222')
  await setOption('RetryTimes', 3)
  const ann = await client()
  for (let turn = 0; turn < 3; turn++) await ann.chat()
  await channelNow(channel.id)
  return channel
}

test(
  'the drawer lists and switches keys, and the list counts those in use',
  async () => {
    const { id } = await troubled('many-keys')
    for (const screen of looksInTier(['desktop', 'phone'] as const)) {
      const page = await visit(admin, `${PATH}?edit=${id}`, { screen })
      const drawer = page.getByRole('dialog')
      const line = (key: string) => drawer.getByRole('listitem').filter({ hasText: key })
      expect(await line('sk-g…1111').textContent()).toContain('Enabled')
      expect(await line('sk-l…2222').textContent()).toMatch(/Auto-disabled401/)
      expect(await line('sk-f…3333').textContent()).toMatch(/Enabledgpt-4o: 429, back in \d+ sDisable/)
      // Its buttons fit beside each other.
      const buttons = drawer.locator('footer:has(> .btn-primary) > .btn')
      const tops = await buttons.evaluateAll(all => all.map(each => Math.round(each.getBoundingClientRect().top)))
      expect([tops.length, new Set(tops).size]).toEqual([5, 1])
      expect(await drawer.getByRole('link', { name: 'Report', exact: true }).filter({ visible: true }).count()).toBe(1)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      expect(problemsOf(page)).toEqual([])
      await leave(page)
    }
    const page = await visit(admin, `${PATH}?edit=${id}`)
    await page.getByRole('button', { name: 'Enable sk-l…2222' }).click()
    await toast(page).waitFor()
    expect(await toast(page).textContent()).toBe('Keys of many-keys updated')
    expect(new URL(page.url()).search).toBe(`?edit=${id}`)
    await page.getByRole('button', { name: 'Disable sk-g…1111' }).click()
    await page.getByText('Disabled manually').waitFor()
    const { keys } = (await admin.get(`/api/channel/${id}`)).data
    expect(keys.map((key: { status: number }) => key.status)).toEqual([2, 1, 1])
    await page.goto(PATH)
    expect(await page.getByRole('row').filter({ hasText: 'many-keys' }).textContent()).toContain('2 of 3 keys')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a long name of a resting model gives way to the time until it is back',
  async () => {
    const model = 'a-model-with-a-rather-long-name-2026-11-24-preview'
    await setPrice('ModelRatio', { [model]: 1, 'gpt-4o': 1 })
    const limited = refuses(429, { 'retry-after': '300' })
    await served(limited, { name: 'long-names', models: model }, model)
    await (await client()).chat({ model })
    const page = await visit(admin, PATH)
    const row = page.getByRole('row').filter({ hasText: 'long-names' })
    const state = row.locator('small').filter({ hasText: 'a-model' })
    const time = state.getByText(/^\d+ s$/)
    const [outside, inside] = [(await state.boundingBox())!, (await time.boundingBox())!]
    expect(inside.x + inside.width).toBeLessThanOrEqual(outside.x + outside.width)
    // As wide as the longest state.
    expect(inside.x + inside.width - outside.x).toBeLessThan(120)
    expect(await state.getAttribute('title')).toContain(`${model} is cooling down: 429`)
    await page.goto(`/admin/routes?model=${model}`)
    const reason = page.getByText('is cooling down: 429')
    // A model's name keeps its first letter.
    expect(await reason.locator('..').evaluate(block => getComputedStyle(block, '::first-letter').textTransform)).toBe(
      'none',
    )
    await leave(page)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test('key switches work without JavaScript, and the last key stays enabled', async () => {
  const { id } = await served(chat(), { name: 'two-keys', key: 'sk-first-key-11,sk-other-key-22' })
  const [first, other] = (await admin.get(`/api/channel/${id}`)).data.keys
  const returnTo = `${PATH}?edit=${id}`
  const turn = (key: { id: string }) => admin.form(`${PATH}/${id}/keys`, { turn: `${key.id} 2`, returnTo })
  expect((await turn(first)).headers.get('location')).toBe(returnTo)
  await turn(other)
  const { keys } = (await admin.get(`/api/channel/${id}`)).data
  expect(keys.map((key: { status: number }) => key.status)).toEqual([2, 1])
  expect((await admin.form(`${PATH}/${id}/keys`, { turn: 'x', returnTo })).status).toBe(303)
})

test(
  'one button tests all channels and shows their results as they come',
  async () => {
    await deleteChannels()
    const channel = await served(chat(), { name: 'to-be-tested' })
    const page = await visit(admin, PATH)
    await page.getByRole('button', { name: 'Test all' }).click()
    const results = page.getByRole('dialog', { name: 'Channel tests' })
    await results.getByText('1 of 1 done').waitFor()
    await results.getByRole('link', { name: 'to-be-tested' }).waitFor()
    await jobsDone()
    expect((await storedChannel(channel.id)).test_time).toBeGreaterThan(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'models are fetched with the stored key, or with the typed values',
  async () => {
    const channel = await served(chat(), { name: 'asks', models: 'mine' })
    channel.upstream.scripts('theirs', chat())
    const root = await setUp()
    const page = await visit(root, `${PATH}?edit=${channel.id}`)
    await page.getByRole('button', { name: 'Fetch from provider' }).click()
    const picker = page.getByRole('region', { name: 'Models to choose from' })
    expect(await picker.getByRole('listitem').filter({ hasText: 'theirs' }).textContent()).toContain('new')
    expect(await picker.getByRole('listitem').filter({ hasText: 'mine' }).textContent()).toContain('gone')
    await page.getByLabel('Base URL').fill('http://127.0.0.1:1')
    await page.getByRole('button', { name: 'Fetch from provider' }).click()
    await page.getByText('enter them again').waitFor()
    await page.getByText('Replace', { exact: true }).click()
    await page.getByLabel('Key', { exact: true }).fill('sk-typed-0123456789')
    const before = channel.upstream.journal.length
    await page.getByRole('button', { name: 'Fetch from provider' }).click()
    await page.getByText(/^127\.0\.0\.1:1: The upstream cannot be reached/).waitFor()
    expect(channel.upstream.journal).toHaveLength(before)
    expect(problemsOf(page)).toEqual([expect.stringContaining('400 (Bad Request)')])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'fetched models, or why there are none, come into view, and the guard of the network is among advanced fields',
  async () => {
    const channel = await served(chat(), { name: 'seen' })
    channel.upstream.scripts('theirs', chat())
    const page = await visit(await setUp(), `${PATH}?new`)
    await page.setViewportSize({ width: 1280, height: 640 })
    // Nothing lies over it.
    const isSeen = (found: Locator) =>
      found.evaluate(element => {
        const { x, y, width, height } = element.getBoundingClientRect()
        const at = document.elementFromPoint(x + width / 2, y + height / 2)
        return element.contains(at)
      })
    const guard = page.getByLabel('Refuse addresses of this server’s own network')
    expect(await guard.isVisible()).toBe(false)
    await page.getByLabel('Base URL').fill('http://127.0.0.1:1')
    await page.getByLabel('Key', { exact: true }).fill('sk-upstream')
    await page.getByRole('button', { name: 'Fetch from provider' }).click()
    const failure = page.getByText(/^127\.0\.0\.1:1: The upstream cannot be reached/)
    await failure.waitFor()
    expect(await isSeen(failure)).toBe(true)
    await page.getByLabel('Base URL').fill(channel.upstream.url)
    await page.getByRole('button', { name: 'Fetch from provider' }).click()
    const filter = page.getByRole('searchbox', { name: 'Filter models' })
    await filter.waitFor()
    expect([await isSeen(filter), await filter.evaluate(input => input === document.activeElement)]).toEqual([
      true,
      true,
    ])
    expect(await isSeen(page.getByRole('button', { name: 'Done' }))).toBe(true)
    await page.getByText('Advanced', { exact: true }).click()
    expect(await guard.isVisible()).toBe(true)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a base URL of the type that calls addresses as they stand is questioned, and OpenAI is named for it',
  async () => {
    const channel = await served(chat(), {
      name: 'as it stands',
      type: 8,
      base_url: 'http://127.0.0.1:9/v1/chat/completions',
    })
    const page = await visit(await setUp(), `${PATH}?edit=${channel.id}`)
    const address = page.getByLabel('Base URL')
    const warning = page.getByText(/choose the provider “OpenAI” and enter this address there/)
    expect([await address.getAttribute('placeholder'), await warning.count()]).toEqual([
      ...['https://api.example.com/v1/chat/completions', 0],
    ])
    for (const typed of ['http://127.0.0.1:9', 'http://127.0.0.1:9/v1']) {
      await address.fill(typed)
      await warning.waitFor()
      await address.fill('http://127.0.0.1:9/v1/chat/completions')
      await warning.waitFor({ state: 'detached' })
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)
