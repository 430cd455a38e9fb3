/** Island: an option that is JSON of names, as rows beside its JSON. Without scripts an empty row adds one on saving. */
import { useEffect, useState } from 'react'
import { cellsField, drawnField, flawIn, type RowShape, rowsIn, rowsToJson } from '../../src/contracts/option-rows.ts'
import { Field } from '../components/field.tsx'
import { usePageContext } from '../components/page-context.tsx'
import { type RowOfCells, Rows, rowOf } from '../components/rows.tsx'
import type { TextSetting } from './text-setting.ts'
import { useTextStore } from './text-store.ts'

interface OptionRowsProps {
  field: TextSetting
  shape: RowShape
}

/** Starts anew with each text of the server. */
export default ({ field, shape }: OptionRowsProps) => <OptionRows key={field.value} field={field} shape={shape} />

function OptionRows({ field, shape }: OptionRowsProps) {
  const { t } = usePageContext()
  const read = (text: string) => rowsIn(shape, text)?.map(cells => rowOf(...cells))
  const [rows, setRows] = useState(() => read(field.value))
  const { write, textarea } = useTextStore(field.value, typed => setRows(read(typed)))
  const [asJson, setAsJson] = useState(false)
  const [isScripted, setScripted] = useState(false)
  useEffect(() => setScripted(true), [])

  function change(changed: RowOfCells[]) {
    setRows(changed)
    write(
      rowsToJson(
        shape,
        changed.map(({ cells }) => cells),
      ),
    )
  }

  const showsJson = asJson || !rows
  const toggle = (
    <button
      type="button"
      className="plain-link script-only"
      onClick={() => setAsJson(!asJson)}
      disabled={showsJson && !rows}
    >
      {t(showsJson ? 'mapping.as_rows' : 'mapping.as_json')}
    </button>
  )
  // Where scripts run, the textarea alone is sent.
  const shown = rows && !isScripted ? [...rows, rowOf(...shape.columns.map(() => ''))] : rows
  return (
    <Field {...field} aside={toggle}>
      {({ value: _, autoFocus: __, ...attributes }) => (
        <div className="option-rows">
          {shown && !showsJson && (
            <Rows
              rows={shown}
              change={change}
              columns={shape.columns.map(column => ({
                label: number => t('mapping.cell', { column: t(`mapping.column_${column}`), number }),
                placeholder: t(`mapping.column_${column}`),
              }))}
              flawOf={at => flawText(shape, shown, at, t)}
              name={isScripted ? undefined : cellsField(field.name)}
            />
          )}
          {!isScripted && <input type="hidden" name={drawnField(field.name)} defaultValue={field.value} />}
          <details className={showsJson ? undefined : 'plain-only'} open={showsJson}>
            <summary className="plain-only">JSON</summary>
            <textarea
              {...attributes}
              ref={textarea}
              className={attributes['aria-invalid'] ? 'textarea textarea-error mono' : 'textarea mono'}
              rows={6}
              defaultValue={field.value}
              autoComplete="off"
              spellCheck={false}
            />
          </details>
        </div>
      )}
    </Field>
  )
}

function flawText(shape: RowShape, rows: RowOfCells[], at: number, t: ReturnType<typeof usePageContext>['t']) {
  const flaw = flawIn(
    shape,
    rows.map(({ cells }) => cells),
    at,
  )
  return flaw && t(`mapping.flaw_${flaw}`, { name: rows[at]!.cells[0]!.trim() })
}
