/** The page of the route finder: tiers and other channels in one table, those without the model folded, and what leads to it. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import type { PricedRoutePreview } from '../../src/contracts/route-preview.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

let root: Person
let ann: Client

beforeAll(async () => {
  root = await setUp()
  ann = await client()
})

afterEach(deleteChannels)

const routeOf = async (model = MODEL, group = 'default', input_tokens = ''): Promise<PricedRoutePreview> =>
  (await root.get(`/api/channel/routes?${new URLSearchParams({ group, model, input_tokens })}`)).data

async function open(query: string, person = root, language: 'en' | 'zh' = 'en') {
  const response = await person.page(`/admin/routes${query}`, { language })
  const html = await response.text()
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  const text = main
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/\s+/g, ' ')
  return { status: response.status, html: main, text }
}

test('without a model it asks for one, with one it shows tiers and the others', async () => {
  const first = await served(chat(), { priority: 5 })
  const second = await served(chat())
  const start = await open('')
  expect(start.text).toContain('Choose a model to see which channels its calls try')
  const { status, text, html } = await open(`?model=${MODEL}&group=default`)
  expect(status).toBe(200)
  expect(text.indexOf(first.name)).toBeGreaterThan(text.indexOf('Priority 5'))
  expect(text.indexOf(second.name)).toBeGreaterThan(text.indexOf('Priority 0'))
  expect(html.includes('<form')).toBe(true)
  expect((await open(`?model=${MODEL}`, root, 'zh')).text).toContain('优先级 5 最先尝试')
})

test('channels without the model are folded, those that list it show their reason in the table', async () => {
  const vip = await makeChannel(root, { models: MODEL, group: 'vip' })
  const without: string[] = []
  for (let count = 0; count < 3; count++) without.push((await makeChannel(root, { models: 'else' })).name)
  await served(chat())
  expect(await routeOf()).toMatchObject({ others_total: 4, unlisted_total: 3 })
  const { html } = await open(`?model=${MODEL}`)
  const [table, rest] = html.split('</table>') as [string, string]
  expect(html.match(/<table/g)).toHaveLength(1)
  expect(table).toContain(vip.name)
  expect(table).toContain('not in group default')
  const [, summary, folded] = rest.match(/<details[^>]*>\s*<summary>(.*?)<\/summary>(.*)<\/details>/s)!
  expect(summary).toBe('3 channels do not list the model')
  for (const name of without) {
    expect(table).not.toContain(name)
    expect(folded).toContain(name)
  }
  expect((await open(`?model=${MODEL}`, root, 'zh')).text).toContain('3 个渠道不提供这个模型')
})

test('the retries are named, with a link to the field that sets them', async () => {
  await setOption('RetryTimes', 2)
  await served(chat())
  const { text, html } = await open(`?model=${MODEL}`)
  expect(text).toContain('A call (chat) makes 3 attempts at most. Retries: 2 — change')
  const link = html.match(/href="([^"]*)#field-RetryTimes"/)![1]!
  expect(await (await root.page(link.replace(/&amp;/g, '&'))).text()).toContain('id="field-RetryTimes"')
})

test('the menu has the page under the channels, for administrators alone', async () => {
  const menu = async (person: Person) =>
    [...(await (await person.page('/app/tokens')).text()).matchAll(/<a href="(\/admin\/[a-z]+)"/g)].map(
      ([, href]) => href,
    )
  expect((await menu(root)).slice(0, 2)).toEqual(['/admin/channels', '/admin/routes'])
  expect(await menu(await visitor(Role.user))).toEqual([])
})

test('an unknown model is named as such, with names like it', async () => {
  await served(chat())
  const route = await routeOf('gtp-4o')
  expect(route.listed).toBe(false)
  expect(route.near).toContain(MODEL)
  const { text, html } = await open('?model=gtp-4o')
  expect(text).toContain('No channel in group default lists the model gtp-4o.')
  expect(html).toContain(`/admin/routes?group=default&amp;model=${MODEL}`)
})

test('a model without a price is said to be refused', async () => {
  await served(chat(), {}, 'no-price')
  await makeChannel(root, { models: 'no-price' })
  expect(await routeOf('no-price')).toMatchObject({ listed: true, priced: false })
  expect((await open('?model=no-price')).text).toContain('The model has no price')
  expect((await ann.chat({ model: 'no-price' })).status).toBe(400)
})

test('bad queries are refused at the model, and users are sent away', async () => {
  for (const query of ['', '?model=', '?model=%20', `?model=${'m'.repeat(256)}`])
    expect(await root.get(`/api/channel/routes${query}`)).toMatchObject({
      status: 400,
      code: 'route.model_required',
      field: 'model',
    })
  expect((await open(`?model=${'m'.repeat(256)}`)).status).toBe(422)
  expect(await root.get('/api/channel/routes?model=gpt-4o&group=%3Cscript%3E')).toMatchObject({ success: true })
  const user = await visitor(Role.user)
  expect((await user.get(`/api/channel/routes?model=${MODEL}`)).status).toBe(403)
  expect((await open(`?model=${MODEL}`, user)).status).toBe(303)
})
