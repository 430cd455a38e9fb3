/** What calls of the past would have cost under other prices. */
import { inArray } from 'drizzle-orm'
import { quotaOf } from '../../billing/bill.ts'
import { detailsOf, LogType } from '../../contracts/log.ts'
import type { PriceTexts, SimulatedCost, Simulation } from '../../contracts/pricing.ts'
import { db } from '../../db/database.ts'
import { type LogRow, walk } from '../logs/index.ts'
import { currentOptions, draftOptions, type OptionState } from '../options/index.ts'
import { users } from '../users/table.ts'
import { taskBilled } from './entry-task.ts'
import { usageOfEntry } from './entry-usage.ts'
import { ratioIn } from './group-ratio.ts'
import { KnownPrices } from './known-prices.ts'
import { tablesOf } from './tables.ts'

/**
 * Bills the logged calls again, in batches between which other work runs. Only calls in the usage log count. A group
 * ratio stays as it was billed, unless the draft changes group ratios: then the user's present group counts.
 * @param since unix seconds
 * @throws Refusal 400 at the field of an invalid option, and the signal's reason
 */
export async function simulate(texts: PriceTexts, since: number, signal?: AbortSignal): Promise<Simulation> {
  const draft = draftOptions(texts)
  const sums = new Sums(since)
  const groups = changesGroups(draft) ? new GroupsOfUsers(draft) : undefined
  const [tables, prices] = [tablesOf(draft), new KnownPrices()]
  for await (const rows of walk({ type: LogType.consume, start_timestamp: since })) {
    signal?.throwIfAborted()
    await groups?.load(rows)
    for (const row of rows) {
      const details = detailsOf(row)
      const { lines } = details
      if (!lines) {
        sums.skipped++
        continue
      }
      const group_ratio = groups?.ratioFor(row) ?? details.group_ratio
      const then = { ...details, group_ratio, lines }
      sums.add(
        row,
        details.task
          ? taskBilled(row.model_name, then, tables).quota
          : quotaOf(usageOfEntry({ ...row, details: then }), prices.of(row.model_name, tables, then)),
      )
    }
    await Bun.sleep(0)
  }
  return sums.result()
}

function changesGroups(draft: OptionState): boolean {
  const current = currentOptions()
  return (['GroupRatio', 'GroupGroupRatio'] as const).some(key => draft.text(key) !== current.text(key))
}

/** The present groups of the users met so far. */
class GroupsOfUsers {
  readonly #groups = new Map<number, string>()

  constructor(private readonly draft: OptionState) {}

  async load(rows: readonly LogRow[]) {
    const ids = [...new Set(rows.map(row => row.user_id))].filter(id => !this.#groups.has(id))
    if (!ids.length) return
    const found = await db.select({ id: users.id, group: users.group }).from(users).where(inArray(users.id, ids))
    for (const { id, group } of found) this.#groups.set(id, group)
  }

  ratioFor({ user_id, group }: LogRow): number {
    return ratioIn(this.draft, group, this.#groups.get(user_id) ?? group).group_ratio
  }
}

class Sums {
  skipped = 0
  readonly #total = noCost()
  readonly #users = new Map<number, SimulatedCost & { user_id: number; username: string }>()
  readonly #models = new Map<string, SimulatedCost & { model: string }>()

  constructor(private readonly since: number) {}

  add({ user_id, username, model_name: model, quota }: LogRow, after: number) {
    const user = this.#users.get(user_id) ?? { user_id, username, ...noCost() }
    this.#users.set(user_id, user)
    const sum = this.#models.get(model) ?? { model, ...noCost() }
    this.#models.set(model, sum)
    for (const cost of [this.#total, user, sum]) {
      cost.calls += 1
      cost.before += quota
      cost.after += after
    }
  }

  result(): Simulation {
    const { since, skipped } = this
    const users = [...this.#users.values()].sort(greatestChange)
    return { since, skipped, total: this.#total, users, models: [...this.#models.values()].sort(greatestChange) }
  }
}

const noCost = (): SimulatedCost => ({ calls: 0, before: 0, after: 0 })

const changeOf = ({ before, after }: SimulatedCost) => Math.abs(after - before)

const greatestChange = (one: SimulatedCost, other: SimulatedCost) => changeOf(other) - changeOf(one)
