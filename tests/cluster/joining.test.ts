// @engine postgres
/** What a node says of itself in its row, its clock above all. */
import { expect, spyOn, test } from 'bun:test'
import { describeNode } from '../../src/cluster/joining.ts'
import { NODE_ID } from '../../src/cluster/node.ts'
import { SCHEMA } from '../../src/db/migrate.ts'
import { now } from '../../src/process/clock.ts'
import { log } from '../../src/process/log.ts'
import { VERSION } from '../../src/pure/version.ts'
import '../support/app/app.ts'
import { eq } from 'drizzle-orm'
import { nodes } from '../../src/cluster/table.ts'
import { db } from '../../src/db/database.ts'

const present = Date.now
/** Moves this machine's clock from the right time. */
const moveClock = (seconds: number) => {
  Date.now = () => present() + seconds * 1000
}
const wrong_seconds = () => Math.abs(now() - present() / 1000)

const row = async () => (await db.select().from(nodes).where(eq(nodes.id, NODE_ID)))[0]!

test('a node writes release, schema and the offset of its clock into its row', async () => {
  await describeNode()
  const { version, schema, clock_offset_ms } = await row()
  expect([version, schema]).toEqual([VERSION, SCHEMA])
  expect(Math.abs(clock_offset_ms)).toBeLessThan(1500)
})

test.each([300, -300, 3])(
  'a clock that is off by %i s is noted and warned of once, and the node goes by the database, until it is right again',
  async seconds => {
    const warn = spyOn(log, 'warn').mockImplementation(() => {})
    const info = spyOn(log, 'info').mockImplementation(() => {})
    moveClock(seconds)
    expect(wrong_seconds()).toBeGreaterThan(Math.abs(seconds) - 1.5)
    for (let round = 0; round < 3; round++) await describeNode()
    expect(warn.mock.calls).toEqual([[expect.stringContaining('clock'), { offset_seconds: seconds }]])
    expect(Math.abs((await row()).clock_offset_ms - seconds * 1000)).toBeLessThan(1500)
    expect(wrong_seconds()).toBeLessThan(1.5)
    moveClock(0)
    await describeNode()
    expect(wrong_seconds()).toBeLessThan(1.5)
    expect([warn.mock.calls.length, info.mock.calls.length]).toEqual([1, 1])
    warn.mockRestore()
    info.mockRestore()
  },
)

test('a clock that is off by a second is not warned of and stays', async () => {
  const warn = spyOn(log, 'warn').mockImplementation(() => {})
  moveClock(1)
  await describeNode()
  expect(warn.mock.calls).toEqual([])
  expect(now() * 1000).toBeGreaterThan(present())
  moveClock(0)
  warn.mockRestore()
})
