/** The price of a task as text in the rows of its drawer, and back. */
import { z } from 'zod'
import { taskRows } from '../../../views/pricing/task-price-fields.tsx'
import { type TaskPrice, type TaskRule, type TaskUnit, taskUnits } from '../../billing/task-price.ts'
import { plain } from '../../pure/decimal.ts'
import { amount, type Form, refuse } from './amount.ts'

/** Field values; one row of each kind is left to fill in. */
export function taskFields(price: TaskPrice | null | undefined): Record<string, string> {
  const { unit = 'call', when = [], add = {}, min } = price ?? {}
  const rules = [...when.map(ruleFields), noRule].map((fields, row) => numbered('when', row, fields))
  const extras = [...Object.entries(add).map(([name, usd]) => ({ name, usd: plain(usd) })), noExtra]
  return {
    ...{ task_unit: unit, task_price: price ? plain(price.price) : '', task_min: min === undefined ? '' : plain(min) },
    ...Object.assign({}, ...rules, ...extras.map((fields, row) => numbered('add', row, fields))),
  }
}

const noRule = { if: '', price: '', times: '' }
const noExtra = { name: '', usd: '' }

const numbered = (prefix: 'when' | 'add', row: number, fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${prefix}_${row}_${name}`, text]))

/** The form with another empty row. */
export const withRow = (form: Form, prefix: 'when' | 'add'): Form => ({
  ...form,
  ...numbered(prefix, (taskRows(form, prefix).at(-1) ?? -1) + 1, prefix === 'when' ? noRule : noExtra),
})

const ruleFields = ({ price, times, ...conditions }: TaskRule) => ({
  if: Object.entries(conditions)
    .map(([name, value]) => `${worded(name)} = ${typeof value === 'number' ? plain(value) : worded(value)}`)
    .join(', '),
  price: price === undefined ? '' : plain(price),
  times: times === undefined ? '' : plain(times),
})

/** A word that would be read otherwise stands in quotes: one with a separator, and a text that looks like a number. */
const worded = (word: string) => (isBare(word) && !isNumber(word) ? word : JSON.stringify(word))
const isBare = (word: string) => /^[^\s,="](?:[^,="]*[^\s,="])?$/.test(word)
const isNumber = (word: string) => word !== '' && plain(Number(word)) === word

export const isTaskField = (name: string): boolean =>
  /^(?:task_(?:unit|price|min)|when_\d{1,3}_(?:if|price|times)|add_\d{1,3}_(?:name|usd))$/.test(name)

/** @throws ZodError with every wrong field */
export function taskPriceIn(form: Form): TaskPrice {
  const issues: z.ZodError['issues'] = []
  const read = <T>(one: () => T): T | undefined => {
    try {
      return one()
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error
      issues.push(...error.issues)
    }
  }
  const unit = read(() => unitIn(form))
  const price = read(() => amount(form, 'task_price', true))
  const min = read(() => amount(form, 'task_min'))
  const when = taskRows(form, 'when').flatMap(row => read(() => ruleIn(form, row)) ?? [])
  const add: [string, number][] = []
  for (const row of taskRows(form, 'add')) add.push(...(read(() => extraIn(form, row, add)) ?? []))
  if (issues.length) throw new z.ZodError(issues)
  return {
    ...{ unit: unit!, price: price! },
    ...(when.length && { when }),
    ...(add.length && { add: Object.fromEntries(add) }),
    ...(min !== undefined && { min }),
  }
}

const unitIn = ({ task_unit }: Form): TaskUnit =>
  taskUnits.find(unit => unit === task_unit) ?? refuse('task_unit', 'option.not_choice')

/** @returns none for an empty row */
function ruleIn(form: Form, row: number): TaskRule[] {
  const text = (form[`when_${row}_if`] ?? '').trim()
  const price = amount(form, `when_${row}_price`)
  const times = amount(form, `when_${row}_times`)
  if (price === undefined && times === undefined) {
    return text ? refuse(`when_${row}_price`, 'pricing.rule_without_effect') : []
  }
  const conditions = conditionsIn(text) ?? refuse(`when_${row}_if`, 'pricing.bad_condition')
  return [{ ...(price !== undefined && { price }), ...(times !== undefined && { times }), ...conditions }]
}

/** Such as `resolution = 1080p, "a name" = "1,5"`. @returns undefined for what is no list of conditions */
function conditionsIn(text: string): Record<string, string | number> | undefined {
  const word = '("(?:[^"\\\\]|\\\\.)*"|[^,="]+)'
  const condition = new RegExp(`\\s*${word}\\s*=\\s*${word}\\s*(,|$)`, 'y')
  const found = new Map<string, string | number>()
  while (condition.lastIndex < text.length) {
    const [, name = '', value = '', end] = condition.exec(text) ?? []
    const read = wordIn(name)
    if (end === undefined || !read || reserved.has(read) || found.has(read)) return undefined
    if (end === ',' && condition.lastIndex === text.length) return undefined
    const meant = wordIn(value)
    if (!meant) return undefined
    found.set(read, isNumber(value.trim()) ? Number(value) : meant)
  }
  return Object.fromEntries(found)
}

const reserved = new Set(['price', 'times'])

function wordIn(text: string): string | undefined {
  const bare = text.trim()
  if (!bare.startsWith('"')) return bare
  try {
    return JSON.parse(bare) as string
  } catch {
    return undefined
  }
}

/** @returns none for an empty row */
function extraIn(form: Form, row: number, before: [string, number][]): [string, number][] {
  const name = (form[`add_${row}_name`] ?? '').trim()
  const usd = amount(form, `add_${row}_usd`, name !== '')
  if (usd === undefined) return []
  if (!name) refuse(`add_${row}_name`, 'pricing.extra_without_name')
  if (before.some(([other]) => other === name)) refuse(`add_${row}_name`, 'pricing.extra_twice')
  return [[name, usd]]
}
