// @engine postgres
// @waits
/**
 * A node that is stopped for a minute, then woken: the other frees what it held and takes its jobs; its calls are billed
 * once. `PAUSE_SECONDS` for another time.
 */
import { expect, test } from 'bun:test'
import { newInstallation, startAt } from '../support/app/installation.ts'
import { NumberedCalls } from '../support/cluster/numbered-calls.ts'
import { until } from '../support/until.ts'

const PAUSE_SECONDS = Number(process.env.PAUSE_SECONDS ?? 60)
const CALLS = 20
/** 20 s after its last heartbeat, which may have been 5 s before the stop. */
const FREE_SECONDS = { least: 14, most: 25 }

const place = await newInstallation()
const first = await startAt(place)
const calls = await NumberedCalls.at(place, first.url)
const second = await startAt(place)

const countOf = async (rows: string) =>
  Number(((await place.read(`select count(*) as count from ${rows}`)) as { count: unknown }[])[0]!.count)

test(`a node that is stopped for ${PAUSE_SECONDS} s and woken bills its calls once, and holds nothing that is gone`, async () => {
  const held = Promise.withResolvers<void>()
  calls.hold = held.promise
  const running = Array.from({ length: CALLS }, () => calls.call(first.url))
  await until(() => calls.asked.size === CALLS)
  expect(await countOf('reservations')).toBe(CALLS)

  first.process.kill('SIGSTOP')
  const stopped = performance.now()
  held.resolve()
  calls.hold = undefined
  await until(async () => (await countOf('reservations')) === 0, 'the holds are free')
  const free_seconds = (performance.now() - stopped) / 1000
  expect([free_seconds > FREE_SECONDS.least, free_seconds < FREE_SECONDS.most, free_seconds]).toEqual([
    true,
    true,
    free_seconds,
  ])
  expect(await countOf('nodes')).toBe(1)
  // The other one serves and does the jobs of both.
  const other = calls.start(2, () => second.url)
  await until(async () => (await countOf(`jobs where node <> '' and node not in (select id from nodes)`)) === 0)
  await Bun.sleep(Math.max(0, PAUSE_SECONDS * 1000 - (performance.now() - stopped)))

  first.process.kill('SIGCONT')
  expect(await Promise.all(running)).toEqual(Array(CALLS).fill(200))
  await until(async () => (await countOf('nodes')) === 2)
  await other()
  const both = calls.start(4, () => [first, second][calls.total % 2]!.url)
  await Bun.sleep(2000)
  await both()
  expect(first.output()).toContain('it joins again')
  expect([...new Set(calls.statuses.filter(status => status !== 200))]).toEqual([])
  await calls.check()
})
