// @engine both
/** CSV export of the usage log. */
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { now } from '../../src/process/clock.ts'
import { listen } from '../support/app/app.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'

const start = now()
let ann: Person
let bob: Person
beforeAll(async () => {
  ;[ann, bob] = [await visitor(), await visitor()]
})
beforeEach(async () => void (await db.delete(logs)))

const tableOf = async (person: Person) => (await person.page('/app/logs/api-usage/export.csv?range=30d')).text()

test('a CSV export escapes cells that a spreadsheet would run as formulas', async () => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠1', '="a",b']
  await write(ann, ...formulas.map(content => ({ content })))
  const table = await tableOf(ann)
  for (const formula of formulas) {
    const text = `'${formula.replaceAll('"', '""')}`
    const cell = /[",\r\n]/.test(text) ? `"${text}"` : text
    expect([formula, table.includes(`,${cell},`)]).toEqual([formula, true])
  }
})

test('a CSV export of several batches has each entry of its owner once', async () => {
  await write(bob, { model_name: 'of-bob', created_at: start - 20 })
  await write(ann, { model_name: 'the-oldest', created_at: start - 10 })
  const same = Array.from({ length: 2100 }, (_, index) => ({ model_name: `m${index}`, created_at: start - 5 }))
  await write(ann, ...same)
  const table = await tableOf(ann)
  const found = [...table.matchAll(/,(m\d+|the-oldest|of-bob),/g)].map(([, name]) => name)
  expect(found).toEqual([...same.map(({ model_name }) => model_name).reverse(), 'the-oldest'])
})

test('every list has a CSV export of its rows, without keys', async () => {
  const root = await setUp()
  await root.post('/api/channel/', { name: '=channel', key: 'sk-secret-of-the-channel', models: 'gpt-4o' })
  await ann.post('/api/token/', { name: '-token', unlimited_quota: true })
  const [{ key }] = (await ann.get('/api/token/?p=0&size=1')).data
  await root.post('/api/admin/messages', { title: '@message', content: 'hello', user_ids: [ann.id] })
  const exported = async (person: Person, path: string) => {
    const response = await person.page(`${path}/export.csv`)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    return response.text()
  }
  const [channels, tokens, messages] = [
    await exported(root, '/admin/channels'),
    await exported(ann, '/app/tokens'),
    await exported(root, '/admin/messages'),
  ]
  expect([channels.includes(",'=channel,OpenAI,Enabled,default,gpt-4o,"), channels.includes('secret')]).toEqual([
    true,
    false,
  ])
  expect([tokens.includes(`\r\n'-token,sk-…${key.slice(-4)},Enabled,Unlimited,`), tokens.includes(key)]).toEqual([
    true,
    false,
  ])
  expect(messages).toContain(",'@message,markdown,hello,1,0\r\n")
  expect((await exported(bob, '/app/tokens')).trim().split('\r\n')).toHaveLength(1)
})

test('a user downloads one export at a time; its end and its cancellation free the place', async () => {
  await write(ann, { model_name: 'mine' })
  const first = await ann.page('/app/logs/api-usage/export.csv')
  expect(first.status).toBe(200)
  for (const [language, message] of [
    ['en', 'Another export of yours is running. Try again when its download has ended'],
    ['zh', '您的另一个导出正在进行，请等它下载完成后再试'],
  ] as const)
    for (const path of ['/app/logs/api-usage/export.csv', '/app/tokens/export.csv', '/app/statement/export.csv']) {
      const refused = await ann.page(path, { language })
      expect([path, refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([path, 429, true])
      expect((await refused.text()).includes(message)).toBe(true)
    }
  expect((await bob.page('/app/tokens/export.csv').then(response => response.text())).length).toBeGreaterThan(0)
  await first.body!.cancel()
  expect(await tableOf(ann)).toContain(',mine,')
  expect(await tableOf(ann)).toContain(',mine,')
})

test('other requests are answered between the batches of a long export', async () => {
  const ENTRIES = 20_000
  const entries = Array.from({ length: ENTRIES }, () => ({ model_name: 'many', created_at: start - 5 }))
  for (let from = 0; from < ENTRIES; from += 1000) await write(ann, ...entries.slice(from, from + 1000))
  const url = listen()
  let [answered, isRunning] = [0, true]
  const others = (async () => {
    for (; isRunning; answered++) await (await fetch(`${url}/healthz`)).text()
  })()
  const response = await fetch(`${url}/app/logs/api-usage/export.csv?range=30d`, { headers: { cookie: ann.cookie } })
  const table = await response.text()
  isRunning = false
  await others
  expect(table.split(',many,')).toHaveLength(ENTRIES + 1)
  // Without a turn of the event loop between the batches, one or two.
  expect(answered).toBeGreaterThan(20)
})
