// @engine sqlite
/** Spools in memory and in a file. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Spool } from '../../src/stream/spool.ts'

const named = () => readdirSync(tmpdir()).filter(name => /^tollgate-[0-9a-f]{8}-/.test(name))

test.each([1, 400_000])('a spool of %d-byte chunks returns any range of its bytes', async size => {
  const before = named()
  const spool = new Spool()
  const all = Buffer.from(Array.from({ length: size * 7 }, (_, at) => (at * 7) & 0xff))
  for (let at = 0; at < all.length; at += size) await spool.add(all.subarray(at, at + size))
  expect(spool.size).toBe(all.length)
  // However many there are, no file has a name that somebody else could open.
  expect(named()).toEqual(before)
  for (const [from, to] of [
    [0, all.length],
    [size - 1, size + 1],
    [2, 2],
    [all.length - 3, all.length],
  ] as const) {
    const read = Buffer.concat(await Array.fromAsync(spool.read(from, to)))
    expect(read.equals(all.subarray(from, to))).toBe(true)
  }
  await spool.close()
  await spool.close()
})
