/** JSON editor: line numbers, formatting, and the line of a syntax error. */
import { Field, type FieldProps } from './field.tsx'
import { usePageContext } from './page-context.tsx'

export function JsonField({
  value,
  rows = 6,
  placeholder,
  ...field
}: FieldProps & { value?: string; rows?: number; placeholder?: string }) {
  const { t } = usePageContext()
  return (
    <Field {...field}>
      {({ value: initial, ...attributes }) => {
        const text = value ?? initial ?? ''
        const lines = Math.max(text.split('\n').length, rows)
        return (
          <tollgate-json
            className={attributes['aria-invalid'] ? 'json bad' : 'json'}
            data-line={t('ui.json_line')}
            data-lines={t('ui.json_lines', { count: '{n}' })}
            data-wrong={t('ui.json_wrong', { line: '{n}' })}
          >
            <div className="line-numbers" aria-hidden="true">
              {Array.from({ length: lines }, (_, line) => line + 1).join('\n')}
            </div>
            <textarea
              {...attributes}
              rows={rows}
              spellCheck={false}
              autoComplete="off"
              wrap="off"
              defaultValue={text}
              placeholder={placeholder}
            />
            <footer>
              <span role="status">{t('ui.json')}</span>
              <button type="button" className="btn btn-ghost btn-sm">
                {t('ui.json_format')}
              </button>
            </footer>
          </tollgate-json>
        )
      }}
    </Field>
  )
}
