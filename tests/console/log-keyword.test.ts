// @engine both
/** Calls of clients of the family: search of the usage log by one keyword, and the test of the database. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { LOGS_FOUND_MAX, type LogEntry, LogType } from '../../src/contracts/log.ts'
import { now } from '../../src/process/clock.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { onEmptyLog, write } from '../support/people/usage-log.ts'

const contents = async (person: Person, path: string, keyword: string) => {
  const { data } = await person.get(`${path}?keyword=${encodeURIComponent(keyword)}`)
  return data.map((entry: LogEntry) => entry.content)
}

test('a search of the log finds the number of a type and the beginning of a content', async () => {
  const root = await setUp()
  const ann = await visitor()
  const bob = await visitor()
  await onEmptyLog(async () => {
    const failed = { type: LogType.error, channel: 7, other: JSON.stringify({ channel_id: 7, error_code: 'x' }) }
    await write(ann, { content: '', model_name: 'gpt-4o', created_at: now() - 9 })
    await write(ann, { ...failed, content: 'Overloaded: 100% of the slots', created_at: now() - 8 })
    await write(bob, { ...failed, content: 'overloaded, try later', created_at: now() - 7 })
    await write(bob, { type: LogType.topUp, content: '6 more coins', created_at: now() - 6 })

    const both = ['overloaded, try later', 'Overloaded: 100% of the slots']
    expect(await contents(root, '/api/log/search', 'OVERLOADED')).toEqual(both)
    expect(await contents(root, '/api/log/search', 'overloaded: 100%')).toEqual(both.slice(1))
    expect(await contents(root, '/api/log/search', 'overloaded_')).toEqual([])
    expect(await contents(root, '/api/log/search', 'slots')).toEqual([])
    expect(await contents(root, '/api/log/search', '6')).toEqual(['6 more coins', ...both])
    expect(await contents(root, '/api/log/search', '2')).toEqual([''])

    expect(await contents(ann, '/api/log/self/search', 'overloaded')).toEqual(both.slice(1))
    expect(await contents(ann, '/api/log/self/search/', '2')).toEqual([''])
    const [own] = (await ann.get('/api/log/self/search?keyword=6')).data
    expect([own.channel, own.channel_name, own.other]).toEqual([0, '', '{"error_code":"x"}'])
  })
})

test('a search of the log returns the newest 100 entries and needs a keyword', async () => {
  const root = await setUp()
  const ann = await visitor()
  await onEmptyLog(async () => {
    const many = Array.from({ length: LOGS_FOUND_MAX + 5 }, (_, at) => ({
      model_name: `m${at}`,
      created_at: 1000 + at,
    }))
    await write(ann, ...many)
    const { data } = await root.get('/api/log/search?keyword=2')
    expect(data).toHaveLength(LOGS_FOUND_MAX)
    expect([data[0].model_name, data.at(-1).model_name]).toEqual(['m104', 'm5'])
    for (const path of ['/api/log/search', '/api/log/self/search?keyword=']) {
      expect(await root.get(path)).toMatchObject({ status: 400, code: 'log.keyword_required', field: 'keyword' })
    }
  })
})

test('the test of the database answers administrators with a sentence', async () => {
  await setUp()
  const admin = await visitor(Role.admin)
  expect(await admin.get('/api/status/test')).toMatchObject({
    success: true,
    message: 'The database answers',
    data: null,
  })
  expect(await anyone.get('/api/status/test')).toMatchObject({ status: 401, success: false })
  expect(await (await visitor()).get('/api/status/test')).toMatchObject({ status: 403 })
})
