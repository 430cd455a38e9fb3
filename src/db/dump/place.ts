/** A database as dumps see it: tables from its own catalogue, rows as JSON texts, on a connection of its own. */

/** As both engines store it: `flag` is a boolean on PostgreSQL alone, and 0 or 1 in a dump. */
export type ColumnType = 'whole' | 'decimal' | 'text' | 'flag'

export interface DumpColumn {
  name: string
  type: ColumnType
}

export interface DumpTable {
  name: string
  columns: DumpColumn[]
  /** Names of the columns of the primary key, in its order. */
  key: string[]
}

/** The highest id ever given, by table: the next row has a higher one, also after the last rows were deleted. */
export type Sequences = Record<string, number>

export interface Place {
  readonly engine: 'sqlite' | 'postgres'
  /** What people know it by, without a password. */
  readonly name: string
  query(statement: string): Promise<Record<string, string | number | null>[]>
  /** Tollgate's own tables, a table behind those that it refers to. */
  tables(): Promise<DumpTable[]>
  /**
   * Rows in the order of their keys, a JSON array each, exactly as they are stored: sealed texts stay sealed.
   * @param after the key behind which to begin, as texts
   */
  read(table: DumpTable, after?: string[]): AsyncGenerator<string[]>
  /** @param lines JSON arrays with the values of the table's columns, in their order */
  insert(table: DumpTable, lines: string[]): Promise<void>
  lastKey(table: DumpTable): Promise<string[] | undefined>
  sequences(): Promise<Sequences>
  /** Runs after the rows are there, whose ids count too. */
  setSequences(sequences: Sequences): Promise<void>
  /** Deletes Tollgate's tables; what else is in the database stays. */
  clear(): Promise<void>
  /** How many characters were replaced because the engine cannot store them. */
  replaced(): number
  /** Checks references, and leaves everything on the disk. @throws Error for a row that refers to a missing one */
  finish(): Promise<void>
  close(): Promise<void>
}

export type Access = 'read' | 'write'

/** A batch is full at either: memory stays flat with large rows, and statements stay large with small ones. */
export const BATCH_ROWS = 1000
export const BATCH_CHARACTERS = 1_000_000

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
export const namesOf = (table: DumpTable) => table.columns.map(({ name }) => quoted(name)).join(', ')
