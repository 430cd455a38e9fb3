// @engine both
/** Leases: which node runs a job, and what ends its run. */
import { afterEach, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { eq, sql } from 'drizzle-orm'
import type { Lease } from '../../src/cluster/lease.ts'
import { jobsDone, startJob } from '../../src/cluster/leases.ts'
import { changes, jobs } from '../../src/cluster/table.ts'
import { atomic, rawQuery, run } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { env } from '../../src/env.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import '../support/app/app.ts'

afterEach(() => jobsDone())

const nodeOf = async (name: string) => (await db.select().from(jobs).where(eq(jobs.name, name)))[0]?.node

test('a job runs under a lease, which is free after the run', async () => {
  const work = Promise.withResolvers<void>()
  expect(await startJob('one', () => work.promise)).toBe(true)
  expect(await nodeOf('one')).toMatch(/^\w{16}$/)
  expect(await startJob('one', async () => {})).toBe(false)
  work.resolve()
  await jobsDone()
  expect(await nodeOf('one')).toBe('')
})

/** @returns whether the job was due */
async function startHourly(name: string) {
  const isStarted = await startJob(name, async () => {}, 3600)
  await jobsDone()
  return isStarted
}

test('a job is refused until its interval has passed since the last start', async () => {
  expect(await startHourly('hourly')).toBe(true)
  expect(await startHourly('hourly')).toBe(false)
  shiftClock(3600)
  expect(await startHourly('hourly')).toBe(true)
  shiftClock(-3600)
})

test('a job that was started in the future is due: the clock was set back', async () => {
  shiftClock(7200)
  expect(await startHourly('early')).toBe(true)
  shiftClock(-7200)
  expect(await startHourly('early')).toBe(true)
  expect(await startHourly('early')).toBe(false)
})

test('a failed job frees its lease', async () => {
  expect(await startJob('failing', () => Promise.reject(new Error('not now')))).toBe(true)
  await jobsDone()
  expect(await nodeOf('failing')).toBe('')
})

/** Runs a job up to the moment at which another node takes its lease, and ends that of the other node, too. */
async function losing(name: string, after: (lease: Lease) => Promise<unknown>) {
  const started = Promise.withResolvers<void>()
  const paused = Promise.withResolvers<void>()
  let outcome: unknown
  await startJob(name, async (_, lease) => {
    started.resolve()
    await paused.promise
    outcome = await after(lease).catch(error => (error as Error).message)
  })
  await started.promise
  await db.update(jobs).set({ seen_time: 1 }).where(eq(jobs.name, name))
  const [row] = await db.select().from(jobs).where(eq(jobs.name, name))
  // As the node itself in its next run, which has the same name: only the fence differs.
  await db
    .update(jobs)
    .set({ fence: row!.fence + 1 })
    .where(eq(jobs.name, name))
  paused.resolve()
  await jobsDone()
  return { outcome, fence: row!.fence }
}

test('the fence of a lease grows each time that it is taken', async () => {
  const fences: number[] = []
  for (let run = 0; run < 3; run++) {
    await startJob('fenced', async () => {})
    await jobsDone()
    fences.push((await db.select().from(jobs).where(eq(jobs.name, 'fenced')))[0]!.fence)
  }
  expect(fences).toEqual([1, 2, 3])
})

if (dialect === 'postgres') {
  test('a job that has lost its lease writes nothing under it', async () => {
    const { outcome } = await losing('lost', lease =>
      atomic(function* (tx) {
        yield* run(
          tx.insert(changes).values({ transaction: 0, node: 'x', name: 'of-lost', key: '', created_time: now() }),
        )
        yield* lease.keep(tx)
      }),
    )
    expect(outcome).toBe('the lease of lost is lost')
    expect(await db.select().from(changes).where(eq(changes.name, 'of-lost'))).toEqual([])
    // Nor is the lease of the other run ended with this one.
    expect(await nodeOf('lost')).toMatch(/^\w{16}$/)
  })

  test('a job that has lost its lease is aborted at the next look', async () => {
    const { outcome } = await losing('looking', async lease => [await lease.holds(), lease.signal.aborted])
    expect(outcome).toEqual([false, true])
  })

  test('no node takes a lease amid a write under it', async () => {
    const order: string[] = []
    const other = new SQL(env.DATABASE_URL, { max: 1 })
    await startJob('kept', async (_, lease) => {
      let taking: Promise<unknown> | undefined
      await atomic(function* (tx) {
        yield* lease.keep(tx)
        taking = other`update jobs set node = 'other', fence = fence + 1 where name = 'kept'`.then(() =>
          order.push('taken'),
        )
        yield* run(rawQuery(tx, sql`select pg_sleep(0.1)`))
        order.push('written')
      })
      await taking
    })
    await jobsDone()
    await other.close()
    expect(order).toEqual(['written', 'taken'])
  })
}
