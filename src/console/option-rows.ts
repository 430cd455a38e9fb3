/** JSON options as a browser without scripts sends them: cells of rows, beside the JSON that they were drawn from. */
import { cellsField, drawnField, rowsToJson } from '../contracts/option-rows.ts'
import { catalog, optionKeys } from '../domain/options/index.ts'
import { type FormFields, formFields } from '../web/forms.ts'

/** The fields of a form, rows as the text of their option. A JSON that was edited itself counts in their place. */
export function optionFields(body: unknown): Partial<Record<string, string>> {
  const fields = formFields(body)
  for (const key of optionKeys) {
    const { rows: shape } = catalog[key]
    const cells = shape && (body as FormFields)[cellsField(key).slice(0, -2)]
    if (!shape || !Array.isArray(cells) || plain(fields[key]) !== plain(fields[drawnField(key)])) continue
    const width = shape.columns.length
    const rows = Array.from({ length: Math.ceil(cells.length / width) }, (_, at) =>
      Array.from({ length: width }, (_, column) => cells[at * width + column] ?? ''),
    )
    fields[key] = rowsToJson(shape, rows)
  }
  return fields
}

const plain = (text = '') => text.replaceAll('\r\n', '\n').trim()
