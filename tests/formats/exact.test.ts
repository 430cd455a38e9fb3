// @engine sqlite
/**
 * What every format makes of bodies that have all fields, and of each of their fields: exactly as it was recorded. After
 * a change that is meant, `tests/formats/exact/record.ts` records anew; the difference shows all that it changes.
 */
import { expect, test } from 'bun:test'
import { fileOf, lists } from './exact/lists.ts'

test.each(Object.keys(lists))('%s: exactly as recorded, field by field', async list => {
  const recorded = (await Bun.file(fileOf(list)).text()).slice(0, -1).split('\n')
  const lines = lists[list]!()
  const without = (some: string[], others: string[]) => {
    const known = new Set(others)
    return some.filter(line => !known.has(line)).slice(0, 20)
  }
  expect({ lost: without(recorded, lines), new: without(lines, recorded) }).toEqual({ lost: [], new: [] })
  expect(lines).toHaveLength(recorded.length)
})
