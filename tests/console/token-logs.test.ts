/** The entries of one key: for its owner only. */
import { beforeAll, expect, test } from 'bun:test'
import type { LogEntry } from '../../src/contracts/log.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'

let ann: Person
let bob: Person
let key: string

const newToken = async (person: Person, name: string) => {
  await person.post('/api/token/', { name, unlimited_quota: true })
  return (await person.get('/api/token/?p=0&size=1')).data[0]
}

beforeAll(async () => {
  await setUp()
  ;[ann, bob] = [await visitor(), await visitor()]
  const [one, other] = [await newToken(ann, 'one'), await newToken(ann, 'other')]
  key = one.key
  const other_details = JSON.stringify({ model_ratio: 2, channel_id: 7, admin_info: { use_channel: ['7'] } })
  await write(
    ann,
    { token_id: one.id, token_name: 'one', model_name: 'first', channel: 7, other: other_details },
    { token_id: one.id, token_name: 'one', model_name: 'second' },
    { token_id: other.id, token_name: 'other', model_name: 'of-the-other' },
  )
})

test('the owner reads the entries of a key, newest first, as in the own list', async () => {
  for (const text of [key, `sk-${key}`]) {
    const { success, data, total } = await ann.get(`/api/log/token?key=${text}`)
    expect([success, total, data.map((entry: LogEntry) => entry.model_name)]).toEqual([true, 2, ['second', 'first']])
    expect(data[1]).toMatchObject({ channel: 0, channel_name: '', other: '{"model_ratio":2}' })
  }
  const page = await ann.get(`/api/log/token?key=${key}&p=2&page_size=1`)
  expect(page.data.map((entry: LogEntry) => entry.model_name)).toEqual(['first'])
})

test('another user’s key is refused exactly as a key that does not exist', async () => {
  const unknown = await bob.get(`/api/log/token?key=${key.split('').reverse().join('')}`)
  expect(unknown).toMatchObject({ status: 404, success: false, data: null })
  expect(await bob.get(`/api/log/token?key=${key}`)).toEqual(unknown)
  expect(await ann.get('/api/log/token')).toMatchObject({ status: 400, code: 'log.key_required', field: 'key' })
  expect(await anyone.get(`/api/log/token?key=${key}`)).toMatchObject({ status: 401, success: false })
})
