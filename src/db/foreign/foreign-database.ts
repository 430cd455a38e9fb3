/** A database of another program, which is only read: its columns from its own catalogue, rows by their numbers. */

export type ForeignValue = string | number | bigint | boolean | Uint8Array | Date | null | undefined
/** A column that the table lacks is undefined. */
export type ForeignRow = Readonly<Record<string, ForeignValue>>

export interface ForeignDatabase {
  readonly engine: 'sqlite' | 'mysql' | 'postgres'
  /** What people know it by, without a password. */
  readonly name: string
  /** Names of columns by name of table. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  /** Of these columns those that the table has, in batches by ascending `id`. None without the table. */
  read(table: string, columns: readonly string[], part?: ReadRange): AsyncGenerator<ForeignRow[]>
  /** All rows of a small table. */
  readAll(table: string, columns: readonly string[]): Promise<ForeignRow[]>
  close(): Promise<void>
}

export interface ReadRange {
  /** Only rows whose whole number in this column is at least so much. */
  since?: { column: string; least: number }
  /** Only rows behind this id. */
  after?: number
}

/** How one engine is asked. */
export interface ForeignDriver {
  engine: ForeignDatabase['engine']
  name: string
  /** Character around names. */
  quote: '"' | '`'
  query(statement: string): Promise<ForeignRow[]>
  /** Pairs of table and column. */
  catalogue(): Promise<{ table: string; column: string }[]>
  close(): Promise<void>
}

const BATCH_ROWS = 5000

export async function foreignDatabase(driver: ForeignDriver): Promise<ForeignDatabase> {
  const { engine, name, query, close } = driver
  const columns = new Map<string, Set<string>>()
  for (const { table, column } of await driver.catalogue()) {
    const names = columns.get(table) ?? new Set()
    columns.set(table, names.add(column))
  }
  const quoted = (text: string) => driver.quote + text + driver.quote
  const selectOf = (table: string, wanted: readonly string[]) => {
    const known = columns.get(table)
    const present = wanted.filter(column => known?.has(column))
    return present.length ? `select ${present.map(quoted).join(', ')} from ${quoted(table)}` : undefined
  }
  return {
    engine,
    name,
    columns,
    close,
    async *read(table, wanted, { since, after } = {}) {
      const select = selectOf(table, ['id', ...wanted.filter(column => column !== 'id')])
      if (!select) return
      const id = quoted('id')
      for (let last = after; ; ) {
        const conditions = [
          ...(last === undefined ? [] : [`${id} > ${last}`]),
          ...(since ? [`${quoted(since.column)} >= ${since.least}`] : []),
        ]
        const where = conditions.length ? `where ${conditions.join(' and ')}` : ''
        const rows = await query(`${select} ${where} order by ${id} limit ${BATCH_ROWS}`)
        if (rows.length) yield rows
        if (rows.length < BATCH_ROWS) return
        last = Number(rows.at(-1)!.id)
      }
    },
    async readAll(table, wanted) {
      const select = selectOf(table, wanted)
      return select ? query(select) : []
    },
  }
}
