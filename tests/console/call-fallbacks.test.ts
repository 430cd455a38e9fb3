/** What was asked and what has answered, in the log and on the page of a call. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { ADMIN_CALLS_PATH, CALLS_PATH } from '../../src/contracts/call-record.ts'
import { db } from '../../src/db/database.ts'
import { findRecord } from '../../src/domain/logs/index.ts'
import { callRecords } from '../../src/domain/logs/table.ts'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import { client, MODEL, quotaOf } from '../support/people/client.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

const NEXT = 'next-model'

beforeEach(async () => {
  await setPrice('ModelRatio', { [MODEL]: 1.25, [NEXT]: 1.25 })
  await setPrice('GroupRatio', { default: 1, vip: 2 })
  await setPrice('UserUsableGroups', { default: '', vip: '' })
  await setOption('RetryTimes', 0)
})
afterAll(() => setOption('RetryTimes', 3))

const listOn = async (person: Person, path: string, language: 'en' | 'zh') => {
  const html = await (await person.page(path, { language })).text()
  const list = /<ol class="report-list">.*?<\/ol>/s.exec(html)?.[0] ?? ''
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item]) =>
    item!
      .replace(/<!--.*?-->/g, '')
      .replace(/<[^>]+>/g, '')
      .trim(),
  )
}

test('call page: operators and owners see what was asked, why it was passed over, and what has answered', async () => {
  await served(refuses(500))
  await served(chat(), { models: NEXT, group: 'vip' }, NEXT)
  const ann = await client({ fallback_groups: 'vip', fallback_models: NEXT })
  expect((await ann.chat()).status).toBe(200)
  const { request_id } = await until(async () => (await db.select().from(callRecords))[0])
  const english = [
    `${MODEL} · default its channels have failed`,
    `${MODEL} · vip no channel can serve the call`,
    `${NEXT} · default no channel can serve the call`,
    `${NEXT} · vip answered`,
  ]
  const operator = await setUp()
  const path = `${ADMIN_CALLS_PATH}/${request_id}`
  expect((await listOn(operator, path, 'en')).map(item => item.toLowerCase())).toEqual(english)
  expect((await listOn(ann.person, `${CALLS_PATH}/${request_id}`, 'en')).map(item => item.toLowerCase())).toEqual(
    english,
  )
  expect((await listOn(operator, path, 'zh'))[0]).toBe(`${MODEL} · default 渠道调用失败`)
})

test('call page: a call whose later group cannot be paid is kept, with its attempt and the quota that refused', async () => {
  await db.delete(callRecords)
  await setPrice('GroupRatio', { default: 1, vip: 20 })
  const first = await served(refuses(500), { priority: 9 })
  const second = await served(chat(), { group: 'vip' })
  const ann = await client({ fallback_groups: 'vip' }, quotaOf(100, 900))
  const response = await ann.chat({ max_tokens: 900 })
  expect(response.status).toBe(502)
  expect(second.calls()).toBe(0)
  const request_id = response.headers.get('x-request-id')!
  expect((await findRecord(request_id))?.record).toMatchObject({
    attempts: [{ channel: first.id, status: 500 }],
    limits: [{ limit: 'attempts' }, { limit: 'unpaid' }],
  })
  const page = await (await ann.person.page(`${CALLS_PATH}/${request_id}`, { language: 'en' })).text()
  expect(page).toContain('Attempt 1')
  expect(page).toContain('The quota does not pay another group or model')
})
