// @engine sqlite
// @tier long
// @waits
/** The gap that an outage of the backup leaves, after restarts of the process. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unixSeconds } from '../../src/pure/time.ts'
import {
  bundledGap,
  emptyWithKey,
  gapAt,
  newBackedUp,
  noteOf,
  notesOf,
  shipped,
  utc,
} from '../support/app/backed-up.ts'
import { setUpAt, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { until } from '../support/until.ts'

const SECOND_MS = 1000

test('a process that is killed amid an outage: the next ones name the gap, until the days of the backup are over', async () => {
  const made = await newBackedUp()
  const { place, backup, settings } = made
  const start = () => startAt(place, { env: settings })
  const first = await start()
  await setUpAt(first)
  await place.change(noteOf(1))
  await shipped(first)
  const away = `${backup}-away`
  renameSync(backup, away)
  writeFileSync(backup, 'in the way')
  const begin = unixSeconds(Date.now())
  await place.change(noteOf(2))
  await until(() => /the backup has stopped/.test(first.output()))
  expect(await gapAt(first)).toBeUndefined()
  await first.stop('SIGKILL')

  // Still gone at the next start.
  const second = await start()
  await until(() => /the backup has stopped/.test(second.output()))
  const open = (await gapAt(second))!
  expect([open.from >= begin - 3, open.from <= begin + 1, open.to]).toEqual([true, true, undefined])
  await second.stop('SIGKILL')

  rmSync(backup)
  renameSync(away, backup)
  const inside_ms = Date.now()
  await Bun.sleep(SECOND_MS)
  const third = await start()
  await shipped(third)
  const gap = (await gapAt(third))!
  expect(gap.from).toBe(open.from)
  expect(gap.to!).toBeGreaterThan(unixSeconds(inside_ms))
  const kept = JSON.parse(readFileSync(join(backup, 'gap.json'), 'utf8'))
  expect([unixSeconds(kept.from_ms), unixSeconds(kept.to_ms)]).toEqual([gap.from, gap.to!])
  expect(existsSync(join(place.folder, 'tollgate.db-behind'))).toBe(false)
  await third.stop()

  const fourth = await start()
  await until(async () => (await bundledGap(fourth)) !== undefined)
  expect(await gapAt(fourth)).toEqual(gap)
  await fourth.stop()

  // What it says is so: the second within is that before the outage.
  const restoredAt = async (...args: string[]) => {
    const target = await emptyWithKey(made)
    expect(await run(['restore', ...args], target)).toMatchObject({ code: 0, err: '' })
    return notesOf(target)
  }
  expect(await restoredAt('--at', utc(inside_ms))).toEqual([1])
  expect(await restoredAt('--at', utc(gap.to! * SECOND_MS))).toEqual([1, 2])

  const days_ms = 400 * 86_400 * SECOND_MS
  writeFileSync(
    join(backup, 'gap.json'),
    JSON.stringify({ from_ms: kept.from_ms - days_ms, to_ms: kept.to_ms - days_ms }),
  )
  const fifth = await start()
  await shipped(fifth)
  expect(await gapAt(fifth)).toBeUndefined()
  await fifth.stop()
})

test('an outage that is caught up with leaves no gap, and a mark that a crash has cut is a gap from the last upload', async () => {
  const { place, backup, settings } = await newBackedUp()
  const start = () => startAt(place, { env: settings })
  const server = await start()
  await setUpAt(server)
  await shipped(server)
  const mark = join(place.folder, 'tollgate.db-behind')
  renameSync(backup, `${backup}-away`)
  writeFileSync(backup, 'in the way')
  await place.change(noteOf(1))
  await until(() => existsSync(mark))
  rmSync(backup)
  renameSync(`${backup}-away`, backup)
  await until(() => /the backup goes on/.test(server.output()))
  await shipped(server)
  expect([existsSync(mark), await gapAt(server)]).toEqual([false, undefined])
  const shipped_time = unixSeconds(Date.now())
  await server.stop()
  writeFileSync(mark, '{"from')
  const next = await start()
  await shipped(next)
  const gap = (await gapAt(next))!
  expect([gap.from <= shipped_time, gap.to! > shipped_time - 1]).toEqual([true, true])
})
