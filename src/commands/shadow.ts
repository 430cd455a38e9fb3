/** `tollgate shadow report --against DSN`: compares the calls that passed in the shadow with the old gateway's log. */
import { writeFileSync } from 'node:fs'
import type { ShadowReport, ShadowRow } from '../contracts/shadow.ts'
import { closeDatabase, openDatabase } from '../db/database.ts'
import { openForeign } from '../db/foreign/open.ts'
import { checkSchema } from '../db/migrate.ts'
import { compareWith } from '../domain/shadow/index.ts'
import { StartupError } from '../process/shutdown.ts'
import { rfc3339, unixSeconds } from '../pure/time.ts'

const USAGE =
  'usage: tollgate shadow report --against DSN [--since "2026-11-23 14:03:20"] [--until …] (UTC) [--json FILE]'

/** Reads both databases, also while Tollgate runs. @returns exit code 0. @throws StartupError */
export async function shadow(args: string[]): Promise<number> {
  const { against, json, ...range } = wantedIn(args)
  await openDatabase({ readonly: true })
  await checkSchema()
  const from = await openForeign(against)
  const report = await compareWith(from, range).finally(() => from.close())
  await closeDatabase()
  if (!report)
    throw new StartupError('no call has passed in the shadow: start Tollgate with SHADOW_OF, and send it calls')
  if (json) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
  process.stdout.write(`${textOf(report)}\n`)
  return 0
}

interface ReportOrder {
  against: string
  since?: number
  until?: number
  json?: string
}

/** @throws StartupError */
function wantedIn([name, ...args]: string[]): ReportOrder {
  const wanted: Partial<ReportOrder> = {}
  for (let at = 0; at < args.length; at += 2) {
    const value = args[at + 1]
    if (value === undefined) throw new StartupError(USAGE)
    if (args[at] === '--against') wanted.against = value
    else if (args[at] === '--json') wanted.json = value
    else if (args[at] === '--since') wanted.since = secondOf(value)
    else if (args[at] === '--until') wanted.until = secondOf(value)
    else throw new StartupError(USAGE)
  }
  const { against, since, until } = wanted
  if (name !== 'report' || !against) throw new StartupError(USAGE)
  if (since !== undefined && until !== undefined && since >= until)
    throw new StartupError('--since must be before --until')
  return { ...wanted, against }
}

const MOMENT = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d:\d\dZ?)?$/

/** Unix seconds. @throws StartupError */
function secondOf(text: string): number {
  const [day, time = '00:00:00'] = text.replace(/Z$/, '').split(/[ T]/)
  const ms = MOMENT.test(text) ? Date.parse(`${day}T${time}Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new StartupError(USAGE)
  return unixSeconds(ms)
}

const HEAD = ['user', 'model', 'calls', 'here', 'prompt', 'here', 'output', 'here', 'quota', 'here', 'difference']
const NUMBERS_FROM = 2

const cellsOf = (user: string, model: string, { theirs, ours, difference }: ShadowRow) => [
  ...[user, model, theirs.calls, ours.calls, theirs.prompt_tokens, ours.prompt_tokens],
  ...[theirs.completion_tokens, ours.completion_tokens, theirs.quota, ours.quota, difference],
]

function textOf({ against, since, until, total, failed, rows }: ShadowReport): string {
  const cells = [HEAD, ...rows.map(row => cellsOf(shown(row.user), shown(row.model), row)), cellsOf('total', '', total)]
  const widths = HEAD.map((_, column) => Math.max(...cells.map(row => row[column]!.length)))
  const lines = cells.map(row =>
    row.map((cell, at) => (at < NUMBERS_FROM ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
  )
  // Behind its line each row has the reasons for what differs.
  const reasons = [[], ...rows, total].map(row => ('differences' in row ? reasonLines(row) : []))
  return [
    `against ${shown(against)}, ${rfc3339(since)} to ${rfc3339(until)}`,
    ...lines.flatMap((line, at) => [line.trimEnd(), ...reasons[at]!]),
    `${total.matched} calls on both sides, ${total.equal} of them equal; ${failed} failed on both sides`,
  ].join('\n')
}

const reasonLines = ({ differences }: ShadowRow) =>
  differences.map(({ reasons, calls, quota }) => `  ${shown(reasons.join(' + '))}: ${calls} calls, ${quota} quota`)

/** Names come from clients, and a terminal obeys control characters. */
const shown = (text: string) => text.replace(/\p{C}/gu, '\ufffd')
