// @engine sqlite
import { describe, test } from 'bun:test'
import { formats } from '../../src/formats/index.ts'
import { check, modes, rows } from './matrix.ts'

describe.each([...formats])('a caller of %s', caller => {
  describe.each([...formats])('an upstream of %s', upstream => {
    const cells = rows.flatMap(row => modes.map(mode => [row, mode] as const))
    test.each(cells)('%s %s reaches the client unchanged in meaning', (row, mode) => check(caller, upstream, row, mode))
  })
})
