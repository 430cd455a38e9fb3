/** A call that a budget of its user or key refuses leaves a record, whose page says which budget it was. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { db } from '../../src/db/database.ts'
import { callRecords } from '../../src/domain/logs/table.ts'
import { setOption } from '../support/app/options.ts'
import { keyOf, makeBudget } from '../support/people/budgets.ts'
import { type Client, client } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { play } from '../support/people/playground.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'
import { sunoUpstream } from '../support/upstream/suno.ts'
import { sunoChannel } from '../support/upstream/suno-channel.ts'

const root = await setUp()
await channelTo(await startUpstream(chat()), { name: 'secret channel' })
await sunoChannel(await sunoUpstream())
await setOption('PreConsumedQuota', 0)

beforeEach(async () => {
  await flushBuffers()
  await db.delete(callRecords)
})
afterEach(() => setOption('CallRecordDays', 7))

const pageOf = async (person: Person, path: string, language: 'en' | 'zh' = 'en') => {
  const response = await person.page(path, { language })
  return { status: response.status, html: (await response.text()).replaceAll('<!-- -->', '') }
}

const calls: Record<string, (who: Client) => Promise<Response>> = {
  'a whole response': who => who.chat(),
  'a stream': who => who.stream(),
  'a task': who => who.postTo('/suno/submit/music', { prompt: 'A gate', title: 'Toll', tags: 'folk' }),
  'the playground': who => play(who.person),
}

test.each(Object.keys(calls))(
  '%s that a budget refuses has a page that names the budget, for its user too',
  async name => {
    const [who, other] = [await client(), await visitor()]
    await makeBudget('user', who.person.id, { name: 'Limit per month', amount: 1, window: 'rolling', seconds: 60 })
    expect((await calls[name]!(who)).status).toBe(200)
    const refused = await calls[name]!(who)
    expect(refused.status).toBe(429)
    const id = refused.headers.get('x-request-id')!
    for (const [person, path] of [
      [who.person, '/app/calls'],
      [root, '/admin/calls'],
    ] as const) {
      const { status, html } = await pageOf(person, `${path}/${id}`)
      expect(status).toBe(200)
      expect(html).toInclude('The call was refused: the budget Limit per month had no room')
      expect(html.includes('secret channel')).toBe(person === root && name !== 'a task')
      expect((await pageOf(person, `${path}/${id}`, 'zh')).html).toInclude('调用被拒绝：预算 每月限额 余量不足')
    }
    expect((await pageOf(other, `/app/calls/${id}`)).status).toBe(404)
    await flushBuffers()
    expect((await pageOf(who.person, `/app/calls/${id}`)).html).toInclude('Limit per month')
  },
)

test('refused calls are recorded up to a hundred a second, and none where records are not kept', async () => {
  const who = await client()
  const key = await keyOf(who)
  await makeBudget('token', key, { amount: 1 })
  const refusedOf = async (count: number) => {
    const responses = await Promise.all(Array.from({ length: count }, () => who.chat()))
    return responses.filter(({ status }) => status === 429).length
  }
  expect(await refusedOf(500)).toBe(499)
  await flushBuffers()
  const records = await db.select().from(callRecords)
  expect(records.length).toBeGreaterThan(1)
  expect(records.length).toBeLessThan(400)
  await setOption('CallRecordDays', 0)
  await db.delete(callRecords)
  expect(await refusedOf(3)).toBe(3)
  await flushBuffers()
  expect(await db.select().from(callRecords)).toEqual([])
})

test('a refusal for another reason than a budget leaves no record', async () => {
  const who = await client()
  expect((await who.chat({ model: 'unknown' })).status).toBe(404)
  await flushBuffers()
  expect(await db.select().from(callRecords)).toEqual([])
})
