/** The audit of bills: computes every logged bill again, from its usage and the tables of its price version. */
import { bill } from '../../billing/bill.ts'
import type { Bill, BillLine } from '../../billing/bill-line.ts'
import type { Price, PriceTables } from '../../billing/price.ts'
import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { detailsOf, LogType } from '../../contracts/log.ts'
import { type LogRow, walk } from '../logs/index.ts'
import { taskBilled } from './entry-task.ts'
import { type BilledEntry, usageOfEntry } from './entry-usage.ts'
import { KnownPrices } from './known-prices.ts'
import { storedTables, versionsKeptSince } from './versions.ts'

interface BillAudit {
  /** Bills that were computed again. */
  bills: number
  /** Bills from before price versions were kept. */
  older: number
  /** The first wrong figure, newest bill first, as an English sentence. */
  difference?: string
}

type AuditedEntry = LogRow & BilledEntry

/** Stops at the first difference. Reads only, in batches; memory does not grow with the log. */
export async function auditBills(): Promise<BillAudit> {
  const audit: BillAudit = { bills: 0, older: 0 }
  const keptSince = await versionsKeptSince()
  const tables = new TablesByVersion()
  const prices = new KnownPrices()
  for await (const rows of walk({ type: LogType.consume })) {
    for (const row of rows) {
      const details = detailsOf(row)
      const version = await tables.of(details.price_version)
      if (!version && row.created_at < keptSince) audit.older++
      else {
        audit.bills++
        audit.difference = differenceIn(
          { ...row, details: { ...details, lines: details.lines ?? [] } },
          version,
          prices,
        )
      }
      if (audit.difference) return audit
    }
  }
  return audit
}

function differenceIn(entry: AuditedEntry, tables: PriceTables | undefined, prices: KnownPrices): string | undefined {
  const { id, model_name, user_id, details } = entry
  const subject = `log entry ${id} (${model_name}, user ${user_id})`
  const { price_version } = details
  if (!price_version) return `${subject}: it has no price version`
  if (!tables) return `${subject}: the tables of its price version ${price_version} are not stored`
  const source = `price version ${tables.version}`
  if (details.task) return sumDifference(subject, entry, taskBilled(model_name, details, tables), source)
  const price = prices.of(model_name, tables, details)
  const usage = usageOfEntry(entry)
  const billed = bill(usage, price)
  return sumDifference(subject, entry, billed, source) ?? tokenDifference(subject, entry, usage, price)
}

const sumDifference = (subject: string, { quota, details }: AuditedEntry, billed: Bill, source: string) =>
  lineDifference(subject, details.lines, billed.lines, source) ?? compare(subject, 'quota', quota, billed.quota, source)

function lineDifference(subject: string, lines: BillLine[], billed: BillLine[], source: string): string | undefined {
  const wrong = billed.findIndex((line, at) => textOf(line) !== textOf(lines[at]))
  if (wrong >= 0)
    return `${subject}: its bill has ${textOf(lines[wrong])}, but ${source} makes it ${textOf(billed[wrong])}`
  if (lines.length > billed.length)
    return `${subject}: its bill has ${textOf(lines[billed.length])}, but ${source} does not`
}

const textOf = (line: BillLine | undefined) =>
  line
    ? `${line.bucket} ${line.count} × ${line.ratio} = ${line.amount} (${line.unit_price} per ${line.per})`
    : 'no line'

/** A price per call has no lines for tokens to compare with. */
function tokenDifference(subject: string, entry: AuditedEntry, usage: Usage, { mode }: Price): string | undefined {
  if (mode === 'call') return
  const source = 'its bill'
  return (
    compare(subject, 'prompt_tokens', entry.prompt_tokens, promptTokens(usage), source) ??
    compare(subject, 'completion_tokens', entry.completion_tokens, completionTokens(usage), source)
  )
}

function compare(subject: string, figure: string, is: number, shouldBe: number, source: string): string | undefined {
  if (is !== shouldBe)
    return `${subject}: ${figure} is ${is}, but ${source} makes it ${shouldBe}: a difference of ${is - shouldBe}`
}

const VERSIONS_MAX = 20

/** The tables of the last 20 versions that were asked for. */
class TablesByVersion {
  readonly #known = new Map<string, PriceTables | undefined>()

  async of(version = ''): Promise<PriceTables | undefined> {
    if (this.#known.has(version)) return this.#known.get(version)
    const tables = await storedTables(version)
    if (this.#known.size >= VERSIONS_MAX) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(version, tables)
    return tables
  }
}
