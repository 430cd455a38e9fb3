// @engine sqlite
/** A form that is sent twice. */
import { expect, test } from 'bun:test'
import { shiftClock } from '../../src/process/clock.ts'
import { idempotent } from '../../src/web/idempotent-form.ts'

const typed = { form_id: 'of one drawing', name: 'key' }
const [ANN, BOB] = [1, 2]

function counted() {
  const add = idempotent<number>()
  let made = 0
  return (sender: number, form = typed) => add(sender, form, async () => ++made)
}

test('idempotent form: a repeated submit returns the first result; other users, values and pages do not', async () => {
  const add = counted()
  expect([await add(ANN), await add(ANN)]).toEqual([1, 1])
  expect(await add(BOB)).toBe(2)
  expect(await add(ANN, { ...typed, name: 'another' })).toBe(3)
  expect(await add(ANN, { ...typed, form_id: 'of another drawing' })).toBe(4)
  const unnamed = { ...typed, form_id: '' }
  expect([await add(ANN, unnamed), await add(ANN, unnamed)]).toEqual([5, 6])
})

test.each([31, -31])('idempotent form: a repeat after %d seconds runs again or not', async seconds => {
  const add = counted()
  await add(ANN)
  shiftClock(seconds)
  expect(await add(ANN)).toBe(2)
  shiftClock(-seconds)
})

test('idempotent form: a failed submit may be repeated', async () => {
  const add = idempotent<string>()
  await expect(add(ANN, typed, () => Promise.reject(new Error('not now')))).rejects.toThrow('not now')
  expect(await add(ANN, typed, async () => 'made')).toBe('made')
})
