// @engine both
/** Token lists: limit, paging, search. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { TOKENS_PER_USER_MAX } from '../../src/contracts/token.ts'
import { digest, seal } from '../../src/crypto/sealing.ts'
import { db } from '../../src/db/database.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { holding } from '../support/postgres/locks.ts'

const make = async (person: Person, fields = {}) =>
  (await person.post('/api/token/', { name: 'laptop', ...fields })).data

test('a user has at most 10,000 tokens, also with concurrent requests', async () => {
  const ann = await visitor()
  const row = { user_id: ann.id, name: 'old', key_sealed: '', key_tail: '', created_time: 1 }
  const batch = (from: number, size: number) =>
    db.insert(tokens).values(Array.from({ length: size }, (_, at) => ({ ...row, key_hash: `${ann.id} ${from + at}` })))
  for (let from = 0; from < TOKENS_PER_USER_MAX - 15; from += 999) {
    await batch(from, Math.min(999, TOKENS_PER_USER_MAX - 15 - from))
  }
  // Whoever looks may look, and all wait with what they are about to write.
  const other = await holding('lock table tokens in share mode')
  const answering = Promise.all([1, 2, 3].map(() => ann.post('/api/token/', { name: 'new', count: 10 })))
  await other.waiting(3)
  await other.release()
  const answers = await answering
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 400, 400])
  expect(answers.find(answer => answer.status === 400)).toMatchObject({
    field: 'count',
    message: 'A user can have at most 10000 API keys: delete some first',
  })
  expect((await ann.get('/api/token/?size=1')).total).toBe(TOKENS_PER_USER_MAX - 5)
  expect((await ann.post('/api/token/', { name: 'new', count: 5 })).status).toBe(200)
  expect((await ann.post('/api/token/', { name: 'new' })).status).toBe(400)
})

test('token lists page from 0, newest first, with the total beside them', async () => {
  const ann = await visitor()
  await make(ann, { name: 'first' })
  await make(ann, { count: 11 })
  const first = await ann.get('/api/token/?p=0')
  expect(first).toMatchObject({ total: 12, data: { length: 10 } })
  const second = await ann.get('/api/token/?p=1&size=10')
  expect(second.data.map((token: { name: string }) => token.name).at(-1)).toBe('first')
  expect((await ann.get('/api/token?size=100')).data.length).toBe(12)
  expect((await ann.get('/api/token/?p=NaN&size=undefined')).data.length).toBe(10)
  expect((await ann.get('/api/token/?p=9')).data).toEqual([])
})

test('token search takes part of a name and part of a key', async () => {
  const ann = await visitor()
  const laptop = await make(ann, { name: 'My Laptop' })
  await make(ann, { name: '100%' })
  const named = async (query: string) =>
    (await ann.get(`/api/token/search?${query}`)).data.map((token: { name: string }) => token.name)
  expect(await named('keyword=lap&token=')).toEqual(['My Laptop'])
  expect(await named('keyword=%25')).toEqual(['100%'])
  expect(await named(`keyword=&token=sk-${laptop.key}`)).toEqual(['My Laptop'])
  expect(await named(`token=${laptop.key}`)).toEqual(['My Laptop'])
  expect(await named(`token=sk-${laptop.key.slice(-4)}`)).toEqual(['My Laptop'])
  expect(await named(`token=sk-${laptop.key.slice(0, 8)}`)).toEqual(['My Laptop'])
  expect(await named(`token=${laptop.key.slice(20, 30)}`)).toEqual(['My Laptop'])
  expect(await named(`token=${laptop.key.slice(0, 8)}%25`)).toEqual([])
  expect(await named(`keyword=100&token=${laptop.key}`)).toEqual([])
  expect((await ann.get('/api/token/search?keyword=lap')).total).toBe(1)
  expect(await named('token=sk-')).toEqual(['100%', 'My Laptop'])
  for (const text of ['a,b', '[1]', '{}', '_']) expect(await named(`keyword=${encodeURIComponent(text)}`)).toEqual([])
  expect(await ann.get('/api/token/search?keyword=%00')).toMatchObject({ status: 400, success: false })
})

test('token search finds keys from another gateway: other characters, other lengths', async () => {
  const ann = await visitor()
  const keys = ['my-own_key.1', 'ab', `${'x/'.repeat(40)}end+${'y'.repeat(44)}`, 'A'.repeat(47).concat('!')]
  const rows = keys.map((key, at) => ({
    ...{ user_id: ann.id, name: `key ${at}`, created_time: 1 },
    ...{ key_sealed: seal(key), key_hash: digest(`${ann.id} ${key}`), key_tail: key.slice(-4) },
  }))
  await db.insert(tokens).values(rows)
  const found = async (part: string) =>
    (await ann.get(`/api/token/search?token=${encodeURIComponent(part)}`)).data.map(({ key }: { key: string }) => key)
  const parts: [part: string, at: number][] = [
    ...([
      ['own_key', 0],
      ['sk-my-own_key.1', 0],
      ['ey.1', 0],
    ] as const),
    ...([
      ['ab', 1],
      ['sk-ab', 1],
      ['x/x/x/x/', 2],
      [keys[2]!.slice(60, 108), 2],
    ] as const),
    ...([
      [keys[3]!, 3],
      ['AAAA!', 3],
    ] as const),
  ].map(([part, at]) => [part, at])
  for (const [part, at] of parts) expect([part, await found(part)]).toEqual([part, [keys[at]!]])
  for (const part of ['own key', 'y_own', 'own_kex']) expect([part, await found(part)]).toEqual([part, []])
})

test('a key sealed with another secret leaves the token list readable', async () => {
  const ann = await visitor()
  await make(ann, { name: 'whole' })
  const broken = await make(ann, { name: 'broken' })
  await db.update(tokens).set({ key_sealed: 'v1:AAAA' }).where(eq(tokens.id, broken.id))
  const { data } = await ann.get('/api/token/')
  expect(data.map(({ name, key }: { name: string; key: string }) => [name, key.length])).toEqual([
    ['broken', 0],
    ['whole', 48],
  ])
  expect((await ann.get('/api/token/search?token=abcdefgh')).success).toBe(true)
  expect((await ann.delete(`/api/token/${broken.id}`)).success).toBe(true)
})
