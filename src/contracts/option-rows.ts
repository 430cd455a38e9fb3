/** Options that are JSON of names, edited as rows of texts: a row has a cell for each column. */

/** What stands in a column. */
export type RowColumn =
  | 'model'
  | 'tokens'
  | 'header'
  | 'value'
  | 'category'
  | 'level'
  | 'version'
  | 'group'
  | 'user_group'
  | 'group_used'
  | 'ratio'
  | 'weight'
  | 'fallback'
  | 'description'

/**
 * `array` of the first column; `texts` and `numbers` by the first column; `nested` numbers by the first two, `lists` of
 * texts by the first two.
 */
export interface RowShape {
  kind: 'array' | 'texts' | 'numbers' | 'nested' | 'lists'
  columns: readonly RowColumn[]
}

export type RowFlaw = 'empty' | 'number' | 'repeated'

type Cells = string[]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCell = (value: unknown) => typeof value === 'string' || typeof value === 'number'

/** @returns undefined for a text that rows cannot show */
export function rowsIn({ kind }: RowShape, json: string): Cells[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(json.trim() || (kind === 'array' ? '[]' : '{}'))
  } catch {
    return undefined
  }
  const rows =
    kind === 'array' ? (Array.isArray(value) ? value.map(item => [item]) : undefined) : entriesOf(kind, value)
  return rows?.every(row => row.every(isCell)) ? rows.map(row => row.map(String)) : undefined
}

function entriesOf(kind: RowShape['kind'], value: unknown): unknown[][] | undefined {
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
  if (kind !== 'nested' && kind !== 'lists') return entries
  if (!entries.every(([, inner]) => isObject(inner))) return undefined
  const rows = entries.flatMap(([name, inner]) =>
    Object.entries(inner as object).map(([below, cell]) => [name, below, cell] as unknown[]),
  )
  if (kind === 'nested') return rows
  return rows.every(([, , list]) => Array.isArray(list))
    ? rows.flatMap(([name, below, list]) => (list as unknown[]).map(item => [name, below, item]))
    : undefined
}

const isBlank = (row: Cells) => row.every(cell => cell.trim() === '')

/** A number as it was typed; a text that is none, so that the option refuses it. */
const numberOr = (text: string) => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

/** Rows without any text are left out. */
export function rowsToJson({ kind }: RowShape, rows: Cells[]): string {
  const filled = rows.filter(row => !isBlank(row)).map(row => row.map(cell => cell.trim()))
  if (kind === 'array') return printed(filled.map(([name]) => name))
  const object: Record<string, unknown> = Object.create(null)
  for (const [name = '', second = '', third = ''] of filled) {
    if (kind === 'texts') object[name] = second
    else if (kind === 'numbers') object[name] = numberOr(second)
    else {
      const inner = (object[name] ?? Object.create(null)) as Record<string, unknown>
      object[name] = inner
      if (kind === 'nested') inner[second] = numberOr(third)
      else inner[second] = [...((inner[second] as string[]) ?? []), third]
    }
  }
  return printed(object)
}

const printed = (value: unknown) => JSON.stringify(value, null, 2)

/** What is wrong with a row, beside the others. Half a row is named once it is sent. */
export function flawIn({ kind }: RowShape, rows: Cells[], at: number): RowFlaw | undefined {
  const row = rows[at]!.map(cell => cell.trim())
  if (isBlank(row)) return undefined
  const names = kind === 'nested' || kind === 'lists' ? row.slice(0, 2) : row.slice(0, 1)
  if (names.includes('')) return 'empty'
  const isSame = (other: Cells) => names.every((name, column) => other[column]!.trim() === name)
  if (kind !== 'lists' && rows.slice(0, at).some(isSame)) return 'repeated'
  const isNumber = kind === 'numbers' || kind === 'nested'
  return isNumber && !(Number(row.at(-1)) >= 0 && row.at(-1) !== '') ? 'number' : undefined
}

/** Names of the fields that a browser without scripts sends: cells of all rows, and the JSON as the page had it. */
export const cellsField = (key: string) => `rows_${key}[]`
export const drawnField = (key: string) => `drawn_${key}`
