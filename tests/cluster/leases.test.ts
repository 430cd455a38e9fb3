// @engine both
/** Leases: which node runs a job, and what ends its run. */
import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobsDone, startJob } from '../../src/cluster/leases.ts'
import { jobs } from '../../src/cluster/table.ts'
import { db } from '../../src/db/database.ts'
import { shiftClock } from '../../src/process/clock.ts'
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
