/** Price options of a test, and the proof that its bills can be computed again. */
import { expect } from 'bun:test'
import { auditBills } from '../../../src/domain/pricing/index.ts'
import defaults from '../../../src/models/prices.json'
import { type Client, MODEL, RICH } from '../people/client.ts'
import { logsOf } from './logs.ts'
import { setOption } from './options.ts'

/** Texts to which changed options go back; an empty object for the others. */
const usual: Record<string, unknown> = {
  ModelRatio: { [MODEL]: 1.25 },
  CompletionRatio: { [MODEL]: 4 },
  CacheRatio: { [MODEL]: 0.5 },
  ToolPrice: defaults.ToolPrice,
  TariffRatio: defaults.TariffRatio,
  GroupRatio: { default: 1, vip: 1 },
  UserUsableGroups: { default: 'Default', vip: 'VIP' },
  QuotaPerUnit: 500_000,
  fallback_pricing_enabled: false,
  fallback_single_price: '',
  fallback_input_ratio: '',
  fallback_completion_ratio: '',
}
const changed = new Set<string>()

/** Saves a price option until `resetPrices`. */
export async function setPrice(key: string, value: unknown) {
  changed.add(key)
  await setOption(key, typeof value === 'object' ? JSON.stringify(value) : value)
}

export async function resetPrices() {
  for (const key of changed) await setPrice(key, usual[key] ?? {})
  changed.clear()
}

/** The last bill of a client that had `RICH`: its log entry, its lines in short, the change of the balance. */
export async function lastBill(ann: Client) {
  const [entry] = await logsOf(ann.person)
  const lines = entry.other.lines.map((line: Record<string, unknown>) => [line.bucket, line.count, line.amount])
  return { entry, lines, paid: RICH - (await ann.balance()) }
}

/** @param least number of bills that have to be there */
export async function expectBillsComputable(least: number) {
  const { bills, older, difference } = await auditBills()
  expect({ difference, older, enough: bills >= least }).toEqual({ difference: undefined, older: 0, enough: true })
}
