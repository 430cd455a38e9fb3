// @engine both
/** A channel's report: calls through the relay make its figures. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { LogType } from '../../src/contracts/log.ts'
import { durationsOf } from '../../src/domain/logs/index.ts'
import { flushOutcomes } from '../../src/domain/routing/health/hourly-outcomes.ts'
import { now } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

let root: Person
let ann: Client

beforeAll(async () => {
  root = await setUp()
  ann = await client()
  await setOption('RetryTimes', 3)
})

afterEach(deleteChannels)

const textOf = (html: string) =>
  html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

async function open(id: number | string, query = '', person = root, language: 'en' | 'zh' = 'en') {
  await flushOutcomes()
  await flushBuffers()
  const response = await person.page(`/admin/channels/${id}/report${query}`, { language })
  const html = await response.text()
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  return { status: response.status, html: main, text: textOf(main) }
}

/** The text from this heading to the next. */
const sectionOf = (html: string, title: string): string =>
  html
    .split('<h2>')
    .map(part => textOf(part))
    .find(text => text.startsWith(title)) ?? ''

/** The figure with this label. */
const figureOf = (html: string, label: string) =>
  textOf(new RegExp(`<dt>${label}</dt><dd>(.*?)</dd>`, 's').exec(html)?.[1] ?? '')

describe('figures', () => {
  test('served and failed calls, share of traffic, spending and errors come from calls through the relay', async () => {
    const failing = await served(refuses(500), { priority: 9 })
    const serving = await served(chat())
    const idle = await served(chat(), { priority: -9 })
    const elsewhere = await makeChannel(root, { models: MODEL, group: 'vip' })
    for (let call = 0; call < 3; call++) expect((await ann.chat()).status).toBe(200)
    await (await ann.stream()).text()

    // A stream is settled after its last byte.
    const good = await until(async () => {
      const page = await open(serving.id)
      return page.text.includes('s 4 calls') && page.html.includes('4 served, 0 failed.') ? page : undefined
    })
    expect(good.status).toBe(200)
    expect(figureOf(good.html, 'Success, 7 days')).toBe('100.0% of 4')
    expect(figureOf(good.html, 'Share of traffic')).toBe('100%')
    expect(figureOf(good.html, 'Duration p50 / p95')).toMatch(/^[\d.]+ \/ [\d.]+ s 4 calls$/)
    expect(figureOf(good.html, 'First token p50 / p95')).toMatch(/^[\d.]+ \/ [\d.]+ s$/)
    const { data } = await root.get(`/api/channel/${serving.id}`)
    expect(data.used_quota).toBeGreaterThan(0)
    expect(good.html).toContain('4 served, 0 failed.')
    expect(sectionOf(good.html, 'Latest errors')).toContain('No errors in the last 7 days.')
    const shares = sectionOf(good.html, 'Share of traffic')
    expect(shares).toContain(`${serving.name} 4 100%`)
    expect(shares).toContain(`${idle.name} 0 0%`)
    expect(shares).not.toContain(elsewhere.name)

    const bad = await open(failing.id)
    expect(figureOf(bad.html, 'Success, 7 days')).toBe('0.0% of 4')
    expect(figureOf(bad.html, 'Duration p50 / p95')).toBe('— 0 calls')
    expect(sectionOf(bad.html, 'Latest errors')).toContain(`500 The server had an error`)
    expect(sectionOf(bad.html, 'Latest errors')).toContain(MODEL)
    const table = await open(failing.id, '?as=table')
    expect(table.text).toMatch(/\d\d:00–\d\d:00 0 4 /)
    expect(table.html.match(/<tr><th scope="row">/g)?.length).toBeGreaterThanOrEqual(168)
  })

  test('percentiles are those of the newest calls of this channel, without the attempts at others before', async () => {
    const { id } = await makeChannel(root)
    const entry = (duration_ms: number, before = 0, more: object = {}) => ({
      channel: id,
      created_at: now(),
      is_stream: true,
      other: JSON.stringify({
        duration_ms: duration_ms + before,
        frt: 100 + before,
        admin_info: {
          attempts: [
            { channel: 1, ms: before },
            { channel: id, ms: 90 },
          ],
        },
        ...more,
      }),
    })
    const times = Array.from({ length: 20 }, (_, index) => (index + 1) * 100)
    await write(ann.person, ...times.map(ms => entry(ms, 5000)))
    await write(ann.person, { ...entry(99_000), channel: id + 1 }, { ...entry(99_000), type: LogType.error })
    await write(ann.person, { ...entry(99_000), created_at: now() - 8 * 86_400 }, { channel: id, other: '{broken' })
    expect(await durationsOf(id, now() - 7 * 86_400)).toEqual({
      calls: 21,
      whole: { p50: 1000, p95: 1900 },
      first: { p50: 100, p95: 100 },
    })
    const { html } = await open(id)
    expect(figureOf(html, 'Duration p50 / p95')).toBe('1.00 / 1.90 s 21 calls')
  })

  test('a new channel shows that nothing has happened yet', async () => {
    const { id, name } = await makeChannel(root)
    const { status, text, html } = await open(id)
    expect(status).toBe(200)
    expect(text).toContain(name)
    expect(figureOf(html, 'Success, 7 days')).toBe('— of 0')
    expect(text).toContain('No calls in the last 7 days.')
    expect(text).toContain('The status has never changed.')
    const chinese = await open(id, '', root, 'zh')
    expect(chinese.text).toContain('近 7 天没有调用。')
  })
})

test('the traffic lists the most used channel first, those used alike by age', async () => {
  const channels = [await served(chat()), await served(chat()), await served(chat()), await served(chat())]
  const [first, second, third, fourth] = channels
  for (const [channel, calls] of [
    [first!, 1],
    [second!, 3],
    [third!, 0],
    [fourth!, 1],
  ] as const) {
    await root.put('/api/channel/', { id: channel.id, priority: 9 })
    for (let call = 0; call < calls; call++) await (await ann.chat()).text()
    await root.put('/api/channel/', { id: channel.id, priority: 0 })
  }
  const { html } = await open(third!.id)
  const shares = sectionOf(html, 'Share of traffic')
  const order = [second!, first!, fourth!, third!].map(({ name }) => name)
  expect([...shares.matchAll(/\bc\d+\b/g)].map(([name]) => name)).toEqual(order)
  expect(shares).toMatch(new RegExp(`${order[0]} 3 60%.*${order[1]} 1 20%.*${order[2]} 1 20%.*${order[3]} 0 0%`))
})

describe('state', () => {
  test('a channel that cools down shows the seconds and the reason', async () => {
    const { id } = await served(refuses(503))
    for (let call = 0; call < 5; call++) await ann.chat()
    const { text } = await open(id)
    expect(text).toMatch(/gpt-4o is cooling down: .+, back in \d+ s/)
  })

  test('closings are listed with reason and time, those of operators with the name', async () => {
    await setOption('AutomaticDisableChannelEnabled', true)
    const { id } = await served(refuses(401))
    await root.put('/api/channel/', { id, status: ChannelStatus.disabled })
    await root.put('/api/channel/', { id, status: ChannelStatus.enabled })
    await root.put('/api/channel/', { id, priority: 3 })
    await ann.chat()
    const { html, text } = await open(id)
    const events = sectionOf(html, 'Enabled and disabled')
    expect(events).toContain('was disabled automatically: 401')
    expect(events).toContain('Incorrect API key provided')
    expect(events.match(/by root/g)?.length).toBe(2)
    expect(text).toContain('Disabled automatically:')
    await setOption('AutomaticDisableChannelEnabled', false)
  })

  test('keys are shown masked with their state, never whole', async () => {
    const keys = ['sk-first-key-0123456789', 'sk-second-key-0123456789']
    const { id } = await makeChannel(root, { key: keys.join(',') })
    const { data } = await root.get(`/api/channel/${id}`)
    await root.put(`/api/channel/${id}/keys/${data.keys[1].id}`, { status: ChannelStatus.disabled })
    const { html } = await open(id)
    const shown = sectionOf(html, 'Keys 2')
    expect(shown).toContain('sk-f…6789 Enabled')
    expect(shown).toContain('sk-s…6789 Disabled Disabled manually')
    expect(keys.some(key => html.includes(key))).toBe(false)
  })
})

describe('access', () => {
  test('the report is for administrators, and an unknown channel is not found', async () => {
    const { id } = await makeChannel(root)
    expect((await open(id, '', await visitor(Role.admin))).status).toBe(200)
    expect((await open(id, '', await visitor(Role.user))).status).toBe(303)
    expect((await open(999_999)).status).toBe(404)
    expect((await open('0x1')).status).toBe(404)
    expect((await open(id, '?as=nonsense')).status).toBe(200)
  })

  test('the list and the drawer lead to the report', async () => {
    const { id } = await makeChannel(root)
    for (const path of [`/admin/channels/${id}/menu`, `/admin/channels?edit=${id}`]) {
      const html = await (await root.page(path)).text()
      expect([path, html.includes(`href="/admin/channels/${id}/report"`)]).toEqual([path, true])
    }
    expect((await (await root.page('/admin/channels')).text()).includes('href="/admin/routes"')).toBe(true)
  })
})
