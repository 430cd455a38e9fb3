/** Idempotent forms: the second submission of a double click. */
import { expect, test } from 'bun:test'
import { oncePerKey } from '../../src/cluster/idempotency.ts'
import { Refusal } from '../../src/contracts/refusal.ts'
import { atomic } from '../../src/db/atomic.ts'
import { idempotent, newFormId } from '../../src/web/idempotent-form.ts'
import '../support/app/app.ts'

const [ANN, BOB] = [1, 2]

function counter() {
  let runs = 0
  return (user_id: number, sent: { form_id: string; name?: string }, check = async () => {}) =>
    idempotent(user_id, sent, async key => {
      await check()
      return atomic(tx =>
        // biome-ignore lint/correctness/useYield: it has no query of its own
        oncePerKey(tx, { user_id, action: 'count', key, body: null }, function* () {
          return ++runs
        }),
      )
    })
}

const refuse = async () => {
  throw new Refusal('human.failed')
}

test('a repeated form returns the first result; another user, value or form runs', async () => {
  const send = counter()
  const form = { form_id: newFormId(), name: 'key' }
  expect([await send(ANN, form), await send(ANN, form)]).toEqual([1, 1])
  expect(await send(BOB, form)).toBe(2)
  expect(await send(ANN, { ...form, name: 'another' })).toBe(3)
  expect(await send(ANN, { ...form, form_id: newFormId() })).toBe(4)
  const unnamed = { ...form, form_id: '' }
  expect([await send(ANN, unnamed), await send(ANN, unnamed)]).toEqual([5, 6])
})

test('a failed form can be repeated', async () => {
  const send = counter()
  const form = { form_id: newFormId() }
  await expect(send(ANN, form, () => Promise.reject(new Error('not now')))).rejects.toThrow('not now')
  expect(await send(ANN, form)).toBe(1)
})

test('a form that the first has left no room for returns the first result, also while that still runs', async () => {
  const send = counter()
  const form = { form_id: newFormId() }
  const slow = send(ANN, form, () => Bun.sleep(300))
  expect(await send(ANN, form, refuse)).toBe(1)
  expect(await slow).toBe(1)
  expect(await send(ANN, form, refuse)).toBe(1)
  await expect(send(ANN, { form_id: newFormId() }, refuse)).rejects.toThrow('human.failed')
})
