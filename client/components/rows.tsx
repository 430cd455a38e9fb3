/** Rows of texts that are edited beside each other: added, removed, with an error at the row that has one. */
import ArrowRight from 'lucide/dist/esm/icons/arrow-right.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { Fragment } from 'react'
import { ErrorText } from './field.tsx'
import { Icon } from './icon.tsx'
import { usePageContext } from './page-context.tsx'

export interface RowOfCells {
  id: number
  cells: string[]
}

let lastId = 0
export const rowOf = (...cells: string[]): RowOfCells => ({ id: ++lastId, cells })

interface RowsProps {
  rows: RowOfCells[]
  change: (rows: RowOfCells[]) => void
  /** Column by column: its label in the row of this number, and an example. */
  columns: { label: (number: number) => string; placeholder?: string }[]
  /** Message of what is wrong with a row. */
  flawOf?: (at: number) => string | undefined
  /** All rows together are refused. */
  invalid?: true
  /** Name of all cells, for a browser without scripts; rows are for scripts alone without it. */
  name?: string
}

export function Rows({ rows, change, columns, flawOf, invalid, name }: RowsProps) {
  const { t } = usePageContext()
  const edit = (at: number, column: number, text: string) =>
    change(rows.with(at, { ...rows[at]!, cells: rows[at]!.cells.with(column, text) }))
  return (
    <div className={name === undefined ? 'mapping-rows script-only' : 'mapping-rows'}>
      {rows.map(({ id, cells }, at) => {
        const flaw = flawOf?.(at)
        return (
          <Fragment key={id}>
            <div>
              {columns.map(({ label, placeholder }, column) => (
                <Fragment key={label(0)}>
                  {column > 0 && <Icon of={ArrowRight} small className="ink-3" />}
                  <input
                    className={flaw ? 'input input-error mono' : 'input mono'}
                    name={name}
                    aria-label={label(at + 1)}
                    aria-invalid={flaw || (invalid && column === 0) ? true : undefined}
                    placeholder={placeholder}
                    value={cells[column]}
                    onChange={({ target }) => edit(at, column, target.value)}
                    autoComplete="off"
                    spellCheck={false}
                  />
                </Fragment>
              ))}
              <button
                type="button"
                className="icon-button script-only"
                aria-label={t('mapping.remove', { name: cells[0] || String(at + 1) })}
                onClick={() => change(rows.toSpliced(at, 1))}
              >
                <Icon of={X} small />
              </button>
            </div>
            {flaw && <ErrorText>{flaw}</ErrorText>}
          </Fragment>
        )
      })}
      <button
        type="button"
        className="btn btn-ghost btn-sm script-only"
        onClick={() => change([...rows, rowOf(...columns.map(() => ''))])}
      >
        <Icon of={Plus} small />
        {t('mapping.add')}
      </button>
    </div>
  )
}
