// @engine both
/** The usage log page: saved filters, the pulse, the errors view, suggestions, notes in the reader's language. */
import { beforeAll, expect, test } from 'bun:test'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { LogType } from '../../src/contracts/log.ts'
import { countFailure } from '../../src/domain/usage/index.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { exact } from '../../src/pure/time.ts'
import { setOption } from '../support/app/options.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { onEmptyLog, spend, write } from '../support/people/usage-log.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const PAGE = '/app/logs/api-usage'
const HOUR = 3600
const start = now()

let root: Person
let ann: Person
let bob: Person

beforeAll(async () => {
  root = await setUp()
  ;[ann, bob] = [await visitor(Role.user, 10_000_000), await visitor()]
})

const html = async (person: Person, query = '', language: 'en' | 'zh' = 'en') =>
  (await person.page(PAGE + query, { language })).text()
/** Which of these texts the page has. */
const shown = async (person: Person, query: string, ...texts: string[]) => {
  const page = await html(person, query)
  return texts.filter(text => page.includes(text))
}
const linkTo = (query: string) => `href="${PAGE}?${query.replaceAll('&', '&amp;')}"`

test('a filter is kept under a name, applied, replaced and deleted by its owner only', async () => {
  const query = 'range=30d&type=6&model_name=gpt-*'
  expect(await shown(ann, '', 'Save filter')).toEqual([])
  expect(await shown(ann, `?${query}`, 'Save filter')).toEqual(['Save filter'])
  const kept = await ann.form(`${PAGE}/filters`, { name: ' Errors of gpt ', query: `${query}&p=3&open=7&evil=1` })
  expect(kept.status).toBe(303)
  const link = linkTo('range=30d&type=6&model_name=gpt-*')
  expect(await shown(ann, '', 'Errors of gpt', link)).toEqual(['Errors of gpt', link])
  expect(await shown(ann, `?${query}`, 'Save filter')).toEqual([])
  await ann.form(`${PAGE}/filters`, { name: 'Errors of gpt', query: 'type=6' })
  expect(await shown(ann, '', link, linkTo('type=6'))).toEqual([linkTo('type=6')])
  expect(await shown(bob, '', 'Errors of gpt')).toEqual([])
  const [, id] = /filters\/(\d+)\/delete/.exec(await html(ann))!
  expect((await bob.form(`${PAGE}/filters/${id}/delete`)).status).toBe(404)
  expect((await ann.form(`${PAGE}/filters/${id}/delete`)).status).toBe(303)
  expect(await shown(ann, '', 'Errors of gpt')).toEqual([])
})

test('a filter without a name, with a long one, or beyond the limit is refused at its field', async () => {
  const refused = async (name: string) => {
    const response = await ann.form(`${PAGE}/filters`, { name, query: 'type=6' })
    const page = await response.text()
    return [response.status, ...['Enter a name', 'at most 40', 'At most 20'].filter(text => page.includes(text))]
  }
  expect(await refused('  ')).toEqual([422, 'Enter a name'])
  expect(await refused('x'.repeat(41))).toEqual([422, 'at most 40'])
  for (let index = 0; index < 20; index++) await ann.form(`${PAGE}/filters`, { name: `f${index}`, query: 'type=6' })
  expect(await refused('one more')).toEqual([422, 'At most 20'])
  expect(await shown(ann, '', 'f19', 'one more')).toEqual(['f19'])
})

test('the pulse has the cost and calls of each hour, and links to the hour', () =>
  onEmptyLog(async () => {
    const midnight = start - (start % (24 * HOUR))
    const eve = await visitor(Role.user, 10_000_000)
    await spend(eve, { quota: 500_000, at: midnight - 24 * HOUR + 30 })
    await spend(eve, { quota: 1_000_000, at: midnight - 24 * HOUR + 5 * HOUR })
    shiftClock(start - now())
    const day = new Date((midnight - 24 * HOUR) * 1000).toISOString().slice(0, 10)
    expect(await shown(eve, '?range=yesterday', `${day} 00:00 – 01:00: $1.00, calls: 1`)).toHaveLength(1)
    expect(await shown(eve, '?range=yesterday', `${day} 05:00 – 06:00: $2.00, calls: 1, failed: 0`)).toHaveLength(1)
    expect(await shown(eve, '?range=yesterday&model_name=gpt-4o', '$2.00, calls: 1')).toHaveLength(1)
    const hour = encodeURIComponent(`${day}T05:00`)
    const last = encodeURIComponent(`${day}T05:59`)
    expect(await shown(eve, '?range=yesterday', linkTo(`range=custom&from=${hour}&to=${last}`))).toHaveLength(1)
    expect(await shown(eve, '?range=yesterday', 'class="pulse"')).toHaveLength(1)
    expect(await shown(eve, `?range=yesterday&type=${LogType.topUp}`, 'class="pulse"')).toHaveLength(0)
  }))

test('the pulse has the failures under every filter, those of a token, model or group from the log', () =>
  onEmptyLog(async () => {
    const hour = start - (start % HOUR) - 24 * HOUR
    const eve = await visitor(Role.user, 10_000_000)
    const { id: channel } = await makeChannel(root)
    const call = { token_name: 'key', model_name: 'gpt-4o', group: 'vip', channel }
    await write(eve, { ...call, type: LogType.error, created_at: hour + 10 }, { ...call, created_at: hour + 20 })
    await write(eve, { ...call, model_name: 'o3', type: LogType.error, created_at: hour + HOUR - 1 })
    await write(eve, { ...call, type: LogType.error, created_at: hour + HOUR })
    await write(bob, { ...call, type: LogType.error, created_at: hour + 30 })
    shiftClock(hour - now())
    countFailure({ user_id: eve.id, token_id: 0, channel_id: channel, model: 'gpt-4o', group: 'vip' })
    await flushBuffers()
    shiftClock(start - now())
    const failed = async (person: Person, query: string) => {
      const bars = [
        ...(await html(person, `?range=yesterday${query}`)).matchAll(/<title>([^<]+:00): [^<]*?(?:failed: (\d+))?</g),
      ]
      const at = exact(hour, 'UTC').slice(0, 'yyyy-mm-dd hh:mm'.length)
      return bars.find(([, span]) => span!.startsWith(at))?.[2]
    }
    const own = ['&token_name=key', '&model_name=gpt-4o', '&model_name=gpt-*', '&group=vip']
    expect(await Promise.all(own.map(query => failed(eve, query)))).toEqual(['2', '1', '1', '2'])
    const all = [`&channel=${channel}`, `&channel=${channel}&username=${eve.username}`, '&model_name=gpt-4o&group=vip']
    expect(await Promise.all(all.map(query => failed(root, query)))).toEqual(['1', '2', '2'])
    await setOption('LogErrorEnabled', false)
    expect(await Promise.all([own[0]!, ''].map(query => failed(eve, query)))).toEqual([undefined, '1'])
    await setOption('LogErrorEnabled', true)
  }))

test('the page shows calls and errors unless another type is chosen, the API every type', () =>
  onEmptyLog(async () => {
    const eve = await visitor()
    const types = Object.values(LogType)
    const name = (type: number) => `entry-of-type-${type}`
    await write(eve, ...types.map(type => ({ type, token_name: name(type), content: name(type) })))
    const listed = async (query: string) => {
      const page = await html(eve, query)
      return types.filter(type => page.includes(`>${name(type)}<`))
    }
    const { untyped, topUp, consume, error } = LogType
    expect(await listed('')).toEqual([untyped, consume, error])
    expect(await listed('?type=0')).toEqual(types)
    expect(await listed(`?type=${topUp}`)).toEqual([topUp])
    expect(await shown(eve, '?type=0', 'Save filter', '1 filter')).toHaveLength(2)
    expect(await shown(eve, '', 'Save filter')).toHaveLength(0)
    expect((await eve.get('/api/log/self')).data.items).toHaveLength(types.length)
    const csv = async (query: string) =>
      (await (await eve.page(`${PAGE}/export.csv${query}`)).text()).split('\r\n').length
    expect([await csv(''), await csv('?type=0')]).toEqual([5, types.length + 2])
  }))

test('entries stand under their day, in the zone and language of the reader', () =>
  onEmptyLog(async () => {
    const eve = await visitor()
    const noon = Date.UTC(2026, 6, 15, 12) / 1000
    const days = [0, 1, 2, 400].map(days => ({ created_at: noon - days * 24 * HOUR }))
    await write(eve, ...days, { created_at: noon - 1 }, { created_at: noon - 11 * HOUR })
    shiftClock(noon - now())
    const heads = async (zone: string, language: 'en' | 'zh' = 'en') => {
      const headers = { cookie: `${eve.cookie}; zone=${zone}` }
      const page = await (await eve.page(`${PAGE}?range=custom&from=2020-01-01T00:00`, { language, headers })).text()
      return [...page.matchAll(/<th[^>]*scope="rowgroup"[^>]*><time[^>]*>([^<]+)</g)].map(([, day]) => day)
    }
    expect(await heads('UTC')).toEqual(['Today', 'Yesterday', 'Monday, July 13', 'Tuesday, June 10, 2025'])
    expect((await heads('America/Los_Angeles')).slice(0, 2)).toEqual(['Today', 'Yesterday'])
    expect(await heads('UTC', 'zh')).toEqual(['今天', '昨天', '7月13日星期一', '2025年6月10日星期二'])
    expect(await shown(eve, '?range=today', 'title="2026-07-15 12:00:00">12:00:00<')).toHaveLength(1)
    shiftClock(start - now())
  }))

test('a browser that asks for it learns how many new entries match its filter, up to a limit', () =>
  onEmptyLog(async () => {
    const eve = await visitor()
    const live = { cookie: `${eve.cookie}; log-live=true` }
    const poll = async (query: string) => (await eve.page(PAGE + query, { headers: live })).text()
    const address = async (query: string) =>
      /id="log-new"[^>]*hx-get="([^"]+)"/.exec(await poll(query))?.[1]?.replaceAll('&amp;', '&')
    const announced = async (path: string) => {
      const part = await eve.page(path, {
        headers: { ...live, 'hx-request-type': 'partial', 'hx-target': 'div#log-new' },
      })
      const text = await part.text()
      return [/>([^<>]*) new</.exec(text.replaceAll('<!-- -->', ''))?.[1], text.includes('hx-trigger')]
    }
    await write(eve, { model_name: 'a' })
    const [all, ofA] = [(await address(''))!, (await address('?model_name=a&p=1'))!]
    expect([await announced(all), await announced(ofA)]).toEqual(Array(2).fill([undefined, true]))
    await write(eve, { model_name: 'a' }, { model_name: 'b', type: LogType.error }, { type: LogType.topUp })
    await write(bob, { model_name: 'a' })
    expect([await announced(all), await announced(ofA)]).toEqual([
      ['2', true],
      ['1', true],
    ])
    expect(await announced((await address(''))!)).toEqual([undefined, true])
    await write(eve, ...Array.from({ length: 20 }, () => ({ model_name: 'b' })))
    expect([await announced(all), await announced(ofA)]).toEqual([
      ['20+', false],
      ['1', true],
    ])
    expect((await eve.page(all)).headers.get('location')).toBe(PAGE)
    expect([await address('?range=yesterday'), (await html(eve)).includes('id="log-new"')]).toEqual([undefined, false])
    const chosen = await eve.form('/preferences', { 'log-live': 'true', returnTo: PAGE })
    expect([chosen.status, chosen.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('log-live=true')])
  }))

test('the errors view counts failures and their reasons, and tells when none are recorded', () =>
  onEmptyLog(async () => {
    const eve = await visitor(Role.user, 10_000_000)
    await spend(eve, { quota: 10, at: start - 2 * HOUR })
    shiftClock(start - now())
    const error = (status_code: number) => ({
      type: LogType.error,
      content: 'no',
      other: JSON.stringify({ status_code }),
      created_at: start - 60,
    })
    await write(eve, error(429), error(500), error(429))
    const view = `?type=${LogType.error}`
    expect(await shown(eve, view, 'Failed calls', '75.0%', '>429 ×2<', '>500 ×1<', 'not recorded')).toEqual([
      'Failed calls',
      '75.0%',
      '>429 ×2<',
      '>500 ×1<',
    ])
    await setOption('LogErrorEnabled', false)
    expect(await shown(bob, view, 'Failed calls are not recorded.')).toHaveLength(1)
    await setOption('LogErrorEnabled', true)
    expect(await shown(bob, view, 'Failed calls are not recorded.')).toHaveLength(0)
  }))

test('a reason of failures filters the errors view, its export and its new entries, and once more shows all', () =>
  onEmptyLog(async () => {
    const eve = await visitor(Role.user, 10_000_000)
    const error = (status_code: number, request_id: string, more = {}) => ({
      type: LogType.error,
      content: `content of ${request_id}`,
      request_id,
      other: JSON.stringify({ ...more, status_code }),
    })
    await write(eve, error(429, 'one'), error(4290, 'two'), error(429, 'three', { error_type: '"status_code":500,' }))
    await write(eve, { request_id: 'call', other: JSON.stringify({ status_code: 429 }) })
    const view = `?type=${LogType.error}`
    const listed = async (query: string) => {
      const csv = await (await eve.page(`${PAGE}/export.csv${query}`)).text()
      const page = await html(eve, query)
      const found = ['one', 'two', 'three', 'call'].filter(id => csv.includes(id))
      expect(['one', 'two', 'three'].filter(id => page.includes(`content of ${id}`))).toEqual(
        found.filter(id => id !== 'call'),
      )
      return found
    }
    const filtered = `${view.slice(1)}&status_code=429`
    expect(await shown(eve, view, linkTo(filtered), '>429 ×2<', 'aria-current="true" title')).toHaveLength(2)
    expect(await listed(view)).toEqual(['one', 'two', 'three'])
    expect(await listed(`?${filtered}`)).toEqual(['one', 'three'])
    expect(await listed(`${view}&status_code=500`)).toEqual([])
    const texts = [
      linkTo(view.slice(1)),
      '>429 ×2<',
      '>4290 ×1<',
      '<input type="hidden" name="status_code" value="429"/>',
    ]
    expect(await shown(eve, `?${filtered}`, ...texts, 'class="pulse"')).toEqual(texts)
    expect(await listed(`?type=${LogType.consume}&status_code=429`)).toEqual(['call'])
    expect(await listed(`${view}&status_code=many`)).toEqual(['one', 'two', 'three'])
  }))

test('the errors view has the words of the upstream for administrators, those of the client for users', () =>
  onEmptyLog(async () => {
    const eve = await visitor(Role.user, 10_000_000)
    const words = 'You exceeded your current quota, please check your plan and billing details.'
    const attempts = [
      { channel: 1, name: 'first', status: 500, reason: 'words of another attempt', ms: 5 },
      { channel: 2, name: 'second', status: 429, reason: words, ms: 5 },
    ]
    const other = JSON.stringify({ status_code: 429, admin_info: { attempts } })
    await write(eve, { type: LogType.error, content: 'The upstream is busy', other })
    for (const view of ['', `?type=${LogType.error}`]) {
      expect(await shown(root, view, `>429 ${words}<`, '>429 The upstream is busy<')).toEqual([`>429 ${words}<`])
      expect(await shown(eve, view, words, '>429 The upstream is busy<')).toEqual(['>429 The upstream is busy<'])
    }
    const heads = async (query: string) =>
      [...(await html(root, query)).matchAll(/role="columnheader" scope="col">([^<]*)</g)].map(([, head]) => head)
    expect(await heads('')).toEqual(expect.arrayContaining(['Input', 'Output', 'First token', 'Took']))
    const figures = ['Input', 'Output', 'First token', 'Took', 'Error']
    expect((await heads(`?type=${LogType.error}`)).filter(head => figures.includes(head!))).toEqual(['Error'])
  }))

test('filter fields suggest the latest names: all for administrators, the own ones for users', () =>
  onEmptyLog(async () => {
    await write(ann, { model_name: 'model-of-ann', token_name: 'token-of-ann' })
    await write(bob, { model_name: 'model-of-bob', token_name: 'token-of-bob' })
    const suggested = async (person: Person, of: string) =>
      (await person.get(`/api/suggestions/${of}`)).data.map(({ value }: { value: string }) => value)
    expect(await suggested(ann, 'models')).toContain('model-of-ann')
    expect(await suggested(ann, 'models')).not.toContain('model-of-bob')
    expect(await suggested(ann, 'tokens')).toEqual(['token-of-ann'])
    expect(await suggested(root, 'models')).toEqual(expect.arrayContaining(['model-of-ann', 'model-of-bob']))
    expect(await suggested(root, 'tokens')).toEqual(expect.arrayContaining(['token-of-ann', 'token-of-bob']))
    expect(await suggested(root, 'users')).toEqual(expect.arrayContaining([ann.username, bob.username]))
  }))

test('the note of a channel test is read in the language of its reader', () =>
  onEmptyLog(async () => {
    const { id } = await makeChannel(root, { name: 'quiet', base_url: 'http://127.0.0.1:9' })
    await root.get(`/api/channel/test/${id}`, { language: 'zh' })
    const words = { en: 'Channel test: quiet failed. The upstream cannot be reached', zh: '渠道测试：quiet 失败。' }
    const note = async (language: 'en' | 'zh') =>
      (await root.get('/api/log/?type=4', { language })).data.items[0].content
    expect(await note('en')).toStartWith(words.en)
    expect(await note('zh')).toStartWith(words.zh)
  }))
