/** Work that one node does for all. Who does it is a row; one whose doer is gone is free again. */
import { and, eq, lt, lte, or, sql } from 'drizzle-orm'
import { randomKey } from '../crypto/random-id.ts'
import { db } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { now } from '../process/clock.ts'
import { log, reason } from '../process/log.ts'
import { atEnd } from '../process/shutdown.ts'
import { jobs } from './table.ts'

/** Whoever has given no sign of life for so long is gone. */
const GONE_SECONDS = 60
const SIGN_EVERY_MS = 10_000

/** This process. */
const node = randomKey(16)
const underWay = new Map<string, Promise<unknown>>()

/** The clock that all nodes share. SQLite has one process: what is not under way here is not under way. */
const seen = dialect === 'sqlite' ? sql<number>`0` : sql<number>`cast(extract(epoch from now()) as bigint)`
const isFree =
  dialect === 'sqlite' ? undefined : or(eq(jobs.node, ''), lt(jobs.seen_time, sql`${seen} - ${GONE_SECONDS}`))

/**
 * Begins and does not wait for the end.
 * @param every_seconds nothing happens when it was begun less than this ago
 * @returns whether it was begun
 */
export function startJob(name: string, work: () => Promise<void>, every_seconds = 0): Promise<boolean> {
  if (underWay.has(name)) return Promise.resolve(false)
  const taken = take(name, every_seconds)
  const done = taken
    .then(isMine => (isMine ? perform(name, work) : undefined))
    .catch(error => log.error('a job failed', { name, reason: reason(error) }))
    .finally(() => underWay.delete(name))
  underWay.set(name, done)
  return taken
}

async function perform(name: string, work: () => Promise<void>) {
  const sign = setInterval(() => void giveSign(name), SIGN_EVERY_MS)
  try {
    await work()
  } finally {
    clearInterval(sign)
    await leave(name)
  }
}

/** When what has begun here is over. */
export const jobsDone = () => Promise.all(underWay.values())

async function take(name: string, every_seconds: number): Promise<boolean> {
  const row = { node, seen_time: seen, started_time: now() }
  // A clock that was set back must not stop the work for as long.
  const isDue = or(lte(jobs.started_time, now() - every_seconds), sql`${jobs.started_time} > ${now()}`)
  const taken = await db
    .insert(jobs)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: jobs.name, set: row, setWhere: and(isFree, isDue) })
    .returning({ name: jobs.name })
  return taken.length > 0
}

const mine = (name: string) => and(eq(jobs.name, name), eq(jobs.node, node))

const giveSign = (name: string) =>
  db
    .update(jobs)
    .set({ seen_time: seen })
    .where(mine(name))
    .catch(error => log.warn('no sign of life given', { name, reason: reason(error) }))

const leave = async (name: string) => void (await db.update(jobs).set({ node: '' }).where(mine(name)))

atEnd(async () => {
  await Promise.all([...underWay.keys()].map(leave))
})
