// @engine sqlite
/**
 * Every type of channel for every client, streamed and whole: who leaves pays what the maker reports, and no crowd takes
 * a balance below what it holds.
 */
import { expect, test } from 'bun:test'
import { OUTPUT_STEP } from '../../src/contracts/relay.ts'
import { leaveAtMoments, priceChats, rowsOf, spendAtOnce } from '../support/people/leaving-crowd.ts'
import { clientFormats, recordedChats } from '../support/upstream/recorded-chats.ts'

const CALLS = 30
const BALANCE = 10_100
/** Quota of a step of output. */
const STEP = 4 * OUTPUT_STEP
/** What a report may be exceeded by. */
const EXCESS = 1.02

const providers = await recordedChats()
await priceChats(providers)
const rows = rowsOf(providers, clientFormats)

/** Of these the maker reports no usage: they cost what is counted. */
const SILENT = [
  'fastgpt, streamed',
  'library, streamed',
  'library, whole',
  'palm, streamed',
  'palm, whole',
  'replicate, streamed',
]
const unreported = new Set<string>()

test.each(rows)('%s for %s, %s: thirty moments of leaving cost what is reported', async (name, _format, how, row) => {
  const { charged, cost, isReported } = await leaveAtMoments(row, CALLS)
  if (!isReported) unreported.add(`${name}, ${how}`)
  expect(charged).toBeWithin(cost, cost * EXCESS + 1)
})

test('the reports of all other makers are understood', () => {
  expect([...unreported].sort()).toEqual(SILENT)
})

test.each(rows)('%s for %s, %s: thirty calls at once stay within the balance', async (_name, _format, _how, row) => {
  expect(await spendAtOnce(row, CALLS, BALANCE)).toBeGreaterThanOrEqual(-STEP * CALLS)
})
