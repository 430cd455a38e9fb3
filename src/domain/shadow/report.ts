/** Compares the calls in the shadow with the log of the other gateway. */
import type { ShadowReport } from '../../contracts/shadow.ts'
import type { ForeignDatabase } from '../../db/foreign/foreign-database.ts'
import { Comparison } from './comparison.ts'
import { ourCalls, ownersOf, shadowSpan } from './our-calls.ts'
import { APART_SECONDS, CallPool, pair } from './pairs.ts'
import { checkLog, type TheirCall, theirCalls } from './their-log.ts'

/** Unix seconds: since inclusive, until exclusive. */
export interface ShadowRange {
  since?: number
  until?: number
}

/**
 * Reads both sides by time, so that a window of calls is in memory alone.
 * @returns undefined when no call has passed in the shadow. @throws UnusableDatabase for a database without a log
 */
export async function compareWith(from: ForeignDatabase, range: ShadowRange): Promise<ShadowReport | undefined> {
  checkLog(from)
  const span = await shadowSpan()
  if (!span) return undefined
  const { since = span.first, until = span.last + 1 } = range
  const comparison = new Comparison(since, until)
  const owner = await ownersOf(from)
  const pool = new CallPool()
  const first = since - APART_SECONDS
  const end = until + APART_SECONDS
  let read = first
  async function readOurs(second: number) {
    if (second <= read) return
    for (const call of await ourCalls(read, second)) pool.add({ call, ...owner(call) })
    read = second
  }
  // A client that reads slowly ends its call long after the entry with its id, which waits for it.
  let waiting: TheirCall[] = []
  for await (const entries of theirCalls(from, first, end)) {
    const last = entries.reduce((latest, { at }) => Math.max(latest, at), first)
    await readOurs(Math.min(last + APART_SECONDS + 1, end))
    const { pairs, single } = pair(pool, [...waiting, ...entries])
    for (const one of pairs) comparison.addPair(one)
    for (const one of single) if (!one.request_id) comparison.addTheirs(one)
    for (const one of pool.takeBefore(last - APART_SECONDS)) comparison.addOurs(one)
    waiting = single.filter(({ request_id }) => request_id)
  }
  await readOurs(end)
  const { pairs, single } = pair(pool, waiting)
  for (const one of pairs) comparison.addPair(one)
  for (const one of single) comparison.addTheirs(one)
  for (const one of pool.takeBefore(Number.POSITIVE_INFINITY)) comparison.addOurs(one)
  return comparison.report(from.name)
}
