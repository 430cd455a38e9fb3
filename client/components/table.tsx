/** Table of rows. On phones a row is a grid, which loses the table roles: every element has an explicit role. */
import ArrowDown from 'lucide/dist/esm/icons/arrow-down.mjs'
import ArrowUp from 'lucide/dist/esm/icons/arrow-up.mjs'
import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { PageLink } from './link.tsx'
import { usePageContext } from './page-context.tsx'

export interface Column<Row> {
  id: string
  head: ReactNode
  /** The heading is a link that sorts the list. */
  sort?: Sort
  cell: (row: Row) => ReactNode
  /** `colspan` of the cell in this row. */
  span?: (row: Row) => number
  /** Aligns right. */
  number?: boolean
  /** Hidden on tablets. */
  optional?: boolean
  /** Place on a phone's card; hidden there without one. */
  phone?: 'title' | 'figure' | 'detail' | 'side'
  className?: string
}

export interface Sort {
  /** Of the list as it is shown; undefined where another column sorts it. */
  order?: 'ascending' | 'descending'
  /** The list by this column, or in the other order. */
  href: string
}

export interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string | number
  /** Name of the row in labels such as "Select crawler-prod". */
  nameOf: (row: Row) => string
  /** Adds a checkbox to each row: `ids[]` of the form `selection` (SelectionBar). */
  selectable?: boolean
  /** Rows without a checkbox. */
  isFixed?: (row: Row) => boolean
  /** Rows that are ticked from the start. */
  isPicked?: (row: Row) => boolean
  actions?: (row: Row) => ReactNode
  /** Rows that open in place; `hrefOf` is the URL of the opposite state. */
  fold?: { isOpen: (row: Row) => boolean; hrefOf: (row: Row) => string; inside: (row: Row) => ReactNode }
  classOf?: (row: Row) => string | undefined
  /** Heading over a row that begins a group. */
  headingOf?: (row: Row, above: Row | undefined) => ReactNode
  dense?: boolean
  /** Two lines for each row. */
  tall?: boolean
  /** Attributes of the body, where parts of the list come one after the other. */
  body?: ComponentProps<'tbody'>
  /** Further bodies. */
  more?: ReactNode
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, selectable, actions, fold, dense, tall, more } = props
  const { t } = usePageContext()
  return (
    <div className="ledger-wrap">
      <table
        className={['ledger', dense && 'dense', tall && 'tall'].filter(Boolean).join(' ')}
        role="table"
        aria-label={label}
      >
        <thead role="rowgroup">
          <tr role="row">
            {selectable && (
              <th className="pick" role="columnheader">
                <input type="checkbox" className="checkbox" aria-label={t('ui.select_all')} data-select-all />
              </th>
            )}
            {fold && (
              <th className="fold" role="columnheader">
                <span className="sr-only">{t('ui.receipt')}</span>
              </th>
            )}
            {columns.map(column => (
              <th
                key={column.id}
                className={cellClass(column)}
                role="columnheader"
                scope="col"
                aria-sort={column.sort?.order}
              >
                {column.sort ? <SortLink {...column.sort}>{column.head}</SortLink> : column.head}
              </th>
            ))}
            {actions && (
              <th className="actions" role="columnheader">
                <span className="sr-only">{t('ui.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <TableBody {...props} />
        {more}
      </table>
    </div>
  )
}

const SortLink = ({ order, href, children }: Sort & { children: ReactNode }) => (
  <PageLink href={href} className="sort">
    {children}
    <Icon of={order === 'ascending' ? ArrowUp : ArrowDown} />
  </PageLink>
)

/** The rows alone: a part of a list that is refreshed, or that follows the parts before it. */
export const TableBody = <Row,>(table: TableProps<Row>) => (
  <tbody role="rowgroup" {...table.body}>
    {table.rows.map((row, index) => (
      <TableRow
        key={table.keyOf(row)}
        row={row}
        heading={table.headingOf?.(row, table.rows[index - 1])}
        table={table}
      />
    ))}
  </tbody>
)

interface TableRowProps<Row> {
  row: Row
  heading: ReactNode
  table: TableProps<Row>
}

function TableRow<Row>({ row, heading, table }: TableRowProps<Row>) {
  const { columns, keyOf, nameOf, selectable, isFixed, isPicked, actions, fold, classOf } = table
  const { t } = usePageContext()
  const isOpen = fold?.isOpen(row) ?? false
  const width = columns.length + Number(!!selectable) + Number(!!fold) + Number(!!actions)
  return (
    <Fragment>
      {heading && (
        <tr className="heading" role="row">
          <th colSpan={width} role="rowheader" scope="rowgroup">
            {heading}
          </th>
        </tr>
      )}
      <tr
        id={`row-${keyOf(row)}`}
        role="row"
        className={[isOpen && 'opened', classOf?.(row)].filter(Boolean).join(' ') || undefined}
      >
        {selectable && (
          <td className="pick card-pick" role="cell">
            {!isFixed?.(row) && (
              <input
                type="checkbox"
                className="checkbox"
                name="ids[]"
                value={keyOf(row)}
                form="selection"
                defaultChecked={isPicked?.(row)}
                aria-label={t('ui.select', { name: nameOf(row) })}
              />
            )}
          </td>
        )}
        {fold && (
          <td className="fold" role="cell">
            <PageLink
              href={fold.hrefOf(row)}
              className="icon-button unfold"
              aria-label={t('ui.open', { name: nameOf(row) })}
              aria-expanded={isOpen}
            />
          </td>
        )}
        {spanned(columns, row).map(({ column, width }) => (
          <td key={column.id} className={cellClass(column)} role="cell" colSpan={width}>
            {column.cell(row)}
          </td>
        ))}
        {actions && (
          <td className="actions" role="cell">
            <span className="flex items-center justify-end">{actions(row)}</span>
          </td>
        )}
      </tr>
      {isOpen && (
        <tr className="detail" role="row">
          <td colSpan={width} role="cell">
            {fold!.inside(row)}
          </td>
        </tr>
      )}
    </Fragment>
  )
}

/** Columns that have a cell in this row, with their `colspan`. */
function spanned<Row>(columns: Column<Row>[], row: Row): { column: Column<Row>; width?: number }[] {
  const cells: { column: Column<Row>; width?: number }[] = []
  for (let next = 0; next < columns.length; next += cells.at(-1)!.width ?? 1) {
    const column = columns[next]!
    cells.push({ column, width: column.span?.(row) })
  }
  return cells
}

const cellClass = <Row,>({ number, optional, phone, className }: Column<Row>) =>
  [phone === 'title' && 'main', number && 'number', optional && 'optional', phone && `card-${phone}`, className]
    .filter(Boolean)
    .join(' ') || undefined
