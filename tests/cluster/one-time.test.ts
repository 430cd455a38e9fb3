/** One-time secrets, and requests that are repeated with their key: each at the end of its time and its tries. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { oncePerKey, pruneIdempotencyKeys } from '../../src/cluster/idempotency.ts'
import { checkSecret, issueSecret, type OneTimeKey, readSecret, takeSecret } from '../../src/cluster/one-time.ts'
import { idempotencyKeys } from '../../src/cluster/table.ts'
import { atomic, run } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import '../support/app/app.ts'

beforeAll(() => holdClock(true))
afterAll(() => holdClock(false))

let subject = 0
let key: OneTimeKey
beforeEach(() => {
  key = { purpose: 'reset', subject: String(++subject) }
})

const take = (of: OneTimeKey, secret: string) => atomic(tx => takeSecret(tx, of, secret))
const issue = (fields: object = {}) => issueSecret({ ...key, secret: 'right', seconds: 60, data: 'kept', ...fields })

test('a secret is read any number of times and taken once', async () => {
  expect(await issue()).toBe(0)
  expect([await readSecret(key, 'wrong'), await take(key, 'wrong')]).toEqual([undefined, undefined])
  expect([await readSecret(key, 'right'), await readSecret(key, 'right')]).toEqual(['kept', 'kept'])
  expect([await take(key, 'right'), await take(key, 'right')]).toEqual(['kept', undefined])
  expect(await readSecret(key, 'right')).toBeUndefined()
})

test('a secret is right for its purpose and subject alone', async () => {
  await issue()
  const others = [
    { ...key, purpose: 'email' as const },
    { ...key, subject: 'other' },
  ]
  for (const other of others) {
    expect(await take(other, 'right')).toBeUndefined()
    expect(await checkSecret(other, 'right')).toBe(false)
  }
  expect(await checkSecret(key, 'right')).toBe(true)
})

test('a secret lives for its seconds, and not in the one that ends them', async () => {
  await issue()
  shiftClock(59)
  expect([await readSecret(key, 'right'), await checkSecret(key, 'right')]).toEqual(['kept', true])
  shiftClock(1)
  expect([await readSecret(key, 'right'), await checkSecret(key, 'right')]).toEqual([undefined, false])
  expect(await take(key, 'right')).toBeUndefined()
})

test.each([
  [undefined, 5],
  [2, 2],
])('a secret with the limit %p has %d tries, right ones included', async (limit, tries) => {
  await issue()
  for (let turn = 1; turn < tries; turn++) expect(await checkSecret(key, 'wrong', limit)).toBe(false)
  expect(await checkSecret(key, 'right', limit)).toBe(true)
  expect(await checkSecret(key, 'right', limit)).toBe(false)
  // A new secret has its tries again.
  await issue({ secret: 'new' })
  expect([await checkSecret(key, 'right'), await checkSecret(key, 'new')]).toEqual([false, true])
})

test('a secret takes the place of the last one, not before the pause is over', async () => {
  await issue()
  const next = () => issue({ secret: 'new', spacing_seconds: 30 })
  shiftClock(10)
  expect(await next()).toBe(20)
  expect(await readSecret(key, 'right')).toBe('kept')
  shiftClock(19)
  expect(await next()).toBe(1)
  shiftClock(1)
  expect(await next()).toBe(0)
  expect([await readSecret(key, 'right'), await readSecret(key, 'new')]).toEqual([undefined, 'kept'])
})

test('an act runs once per user, action and key, and its answer is kept for a day', async () => {
  let runs = 0
  const request = { user_id: 1, action: 'act', key: 'k' as string | undefined, body: { amount: 1 } }
  const act = (change: Partial<typeof request> = {}) =>
    atomic(tx =>
      oncePerKey(tx, { ...request, ...change }, function* (tx) {
        yield* run(tx.select().from(idempotencyKeys))
        return { run: ++runs }
      }),
    )
  expect([await act(), await act()]).toEqual([{ run: 1 }, { run: 1 }])
  expect([await act({ user_id: 2 }), await act({ action: 'other' }), await act({ key: 'l' })]).toEqual([
    { run: 2 },
    { run: 3 },
    { run: 4 },
  ])
  expect([await act({ key: undefined }), await act({ key: undefined })]).toEqual([{ run: 5 }, { run: 6 }])
  const reused = await act({ body: { amount: 2 } }).catch(error => [error.code, error.status])
  expect(reused).toEqual(['error.idempotency_key_reused', 422] as never)
  shiftClock(86_400)
  await pruneIdempotencyKeys()
  expect(await act()).toEqual({ run: 1 })
  shiftClock(1)
  await pruneIdempotencyKeys()
  expect(await db.$count(idempotencyKeys)).toBe(0)
  expect(await act()).toEqual({ run: 7 })
})
