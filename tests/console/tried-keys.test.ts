/** Keys that were tried before they were made. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { digest } from '../../src/crypto/sealing.ts'
import { atomic, run } from '../../src/db/atomic.ts'
import { announceKeys, tokenByKey } from '../../src/domain/tokens/lookup.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { visitor } from '../support/people/person.ts'

const KEY = 'a'.repeat(48)

test('a key that was tried before it was made works at once', async () => {
  const ann = await visitor()
  const { id } = (await ann.post('/api/token/', { name: 'laptop' })).data
  expect([await tokenByKey(KEY), await tokenByKey(KEY)]).toEqual([undefined, undefined])
  await atomic(function* (tx) {
    const key_hash = digest(KEY)
    const [row] = yield* run(tx.update(tokens).set({ key_hash }).where(eq(tokens.id, id)).returning())
    yield* announceKeys(tx, [row!])
  })
  expect(await tokenByKey(KEY)).toMatchObject({ id })
})
