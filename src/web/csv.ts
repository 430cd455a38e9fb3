/** CSV downloads, streamed while their rows are read. */
import { stringify } from 'csv-stringify/sync'
import { Refusal } from '../contracts/refusal.ts'
import { store } from '../process/stores.ts'

export type Cell = string | number | undefined

export interface CsvColumn<Row> {
  head: string
  cell: (row: Row) => Cell
}

interface CsvExport<Row> {
  /** Downloads it, and nothing else meanwhile. */
  user_id: number
  /** Name of the file, without its ending. */
  name: string
  columns: CsvColumn<Row>[]
  /** Rows as they are read; the client's reading sets the pace. */
  batches: AsyncIterable<Row[]>
}

/** The export that each user is downloading from this process. */
const running = store('exports', new Map<number, AsyncIterator<unknown>>())
const RETRY_SECONDS = 5

/** @throws Refusal 429 while the user is downloading another export */
export function csvResponse<Row>({ user_id, name, columns, batches }: CsvExport<Row>): Response {
  if (running.has(user_id)) throw new Refusal('error.export_running', { seconds: RETRY_SECONDS }, 429)
  const reader = batches[Symbol.asyncIterator]()
  running.set(user_id, reader)
  const end = () => void (running.get(user_id) === reader && running.delete(user_id))

  const encoder = new TextEncoder()
  let start = BYTE_ORDER_MARK + linesOf([columns.map(column => column.head)])
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        // SQLite answers within the tick: without a turn of the event loop a fast client would keep calls waiting.
        await new Promise(setImmediate)
        const { value: rows, done } = await reader.next()
        if (done) {
          end()
          return controller.close()
        }
        controller.enqueue(encoder.encode(start + linesOf(rows.map(row => columns.map(column => column.cell(row))))))
        start = ''
      } catch (error) {
        end()
        throw error
      }
    },
    cancel() {
      end()
      void reader.return?.(undefined)
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

/** Spreadsheets read UTF-8 only behind it. */
const BYTE_ORDER_MARK = '\ufeff'

/** Text that a spreadsheet would run as a formula, full-width signs included, gets an apostrophe. */
const linesOf = (rows: Cell[][]) =>
  stringify(rows, {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    escape_formulas: true,
    // A line feed before a sign is not one of the library's formulas.
    cast: { string: text => (text.startsWith('\n') ? `'${text}` : text) },
  })
