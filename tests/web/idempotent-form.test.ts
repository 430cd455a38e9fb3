// @engine sqlite
/** Idempotent forms: the second submission of a double click. */
import { afterEach, expect, test } from 'bun:test'
import { shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { idempotent } from '../../src/web/idempotent-form.ts'

const form = { form_id: 'one', name: 'key' }
const [ANN, BOB] = [1, 2]
afterEach(() => resetStores('forms'))

function counter() {
  let runs = 0
  return (user_id: number, sent = form) => idempotent(user_id, sent, async () => ++runs)
}

test('a repeated form returns the first result; another user, value or form runs', async () => {
  const send = counter()
  expect([await send(ANN), await send(ANN)]).toEqual([1, 1])
  expect(await send(BOB)).toBe(2)
  expect(await send(ANN, { ...form, name: 'another' })).toBe(3)
  expect(await send(ANN, { ...form, form_id: 'two' })).toBe(4)
  const unnamed = { ...form, form_id: '' }
  expect([await send(ANN, unnamed), await send(ANN, unnamed)]).toEqual([5, 6])
})

test.each([31, -31])('a form that is repeated %d seconds later runs again', async seconds => {
  const send = counter()
  await send(ANN)
  shiftClock(seconds)
  expect(await send(ANN)).toBe(2)
  shiftClock(-seconds)
})

test('a failed form can be repeated', async () => {
  await expect(idempotent(ANN, form, () => Promise.reject(new Error('not now')))).rejects.toThrow('not now')
  expect(await idempotent(ANN, form, async () => 'made')).toBe('made')
})
