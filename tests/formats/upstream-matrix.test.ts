// @engine sqlite
import { describe, expect, test } from 'bun:test'
import { formats } from '../../src/formats/index.ts'
import { modes, rows } from './matrix.ts'
import { checkUpstream } from './upstream-matrix.ts'
import { upstreamWires } from './wire/upstreams.ts'

test('every format of upstreams alone has its own name', () => {
  expect(new Set(upstreamWires.map(({ format }) => format.name)).size).toBe(upstreamWires.length)
})

for (const wire of upstreamWires) {
  describe.each([...formats])(`a client of %s, an upstream of ${wire.title}`, client => {
    const cells = rows.filter(row => !wire.without?.[row]).flatMap(row => modes.map(mode => [row, mode] as const))
    test.each(cells)('%s %s keeps its meaning', (row, mode) => checkUpstream(client, wire, row, mode))
  })
}
