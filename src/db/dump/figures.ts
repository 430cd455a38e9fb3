/** Figures that two databases have in common when one is a copy of the other: counts, and the sum of every whole column. */
import { type DumpTable, type Place, quoted } from './place.ts'

/** By `table` and `table.column`, as texts of whole numbers of any size. */
export type Figures = Record<string, string>

/** A column is summed in two parts: 64-bit numbers by themselves exceed the range of a sum on SQLite. */
const PART = 1_000_000

export async function figuresOf(place: Place, tables: DumpTable[]): Promise<Figures> {
  const figures: Figures = {}
  for (const table of tables) Object.assign(figures, await figuresIn(place, table))
  return figures
}

async function figuresIn(place: Place, table: DumpTable): Promise<Figures> {
  const columns = table.columns.filter(({ type }) => type === 'whole' || type === 'flag')
  const parts = columns.flatMap(({ name, type }, at) => {
    const value = type === 'flag' ? `cast(${quoted(name)} as integer)` : quoted(name)
    return [`${text(`sum(${value} / ${PART})`)} as h${at}`, `${text(`sum(${value} % ${PART})`)} as l${at}`]
  })
  const [row] = await place.query(
    `select ${[`${text('count(*)')} as n`, ...parts].join(', ')} from ${quoted(table.name)}`,
  )
  const sums = columns.map(({ name }, at) => [
    `${table.name}.${name}`,
    String(BigInt(row![`h${at}`]!) * BigInt(PART) + BigInt(row![`l${at}`]!)),
  ])
  return { [table.name]: String(row!.n), ...Object.fromEntries(sums) }
}

const text = (sum: string) => `cast(coalesce(${sum}, 0) as text)`

/** @returns the first figure that differs, as an English sentence */
export function differenceOf(source: Figures, target: Figures): string | undefined {
  for (const [name, figure] of Object.entries(source))
    if (target[name] !== figure) return `${name} is ${target[name] ?? 'missing'} instead of ${figure}`
}

/** The sums of money that an operator knows. */
export const moneyIn = (figures: Figures): string =>
  `balances ${figures['users.quota']}, ledger ${figures['ledger.delta']}, usage ${figures['usage_hourly.quota']}`
