import type { Column } from './table.tsx'

/** A grey bar where a word will be. */
export const Bone = ({ rem, end }: { rem: number; end?: boolean }) => (
  <span className={end ? 'bone ml-auto' : 'bone'} style={{ width: `${rem}rem` }} />
)

const ROWS = 3

/** Rows of a table that is still being loaded, in its real heights. */
export const Bones = <Row,>({ columns, before, after }: { columns: Column<Row>[]; before: number; after: number }) =>
  Array.from({ length: ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are nobody
    <tr key={row} role="row">
      {before > 0 && <td colSpan={before} />}
      {columns.map(({ id, num, opt, phone }, column) => (
        <td key={id} className={[opt && 'opt', phone && `m-${phone}`].filter(Boolean).join(' ') || undefined}>
          <Bone
            rem={num ? 3 + ((row + column) % 2) : phone === 'main' ? 8 + (row % 3) : 4 + ((row + column) % 3)}
            end={num}
          />
        </td>
      ))}
      {after > 0 && <td colSpan={after} />}
      <td className="chev" />
    </tr>
  ))
