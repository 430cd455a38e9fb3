/** Export and import of the settings, and the comparison before an import. */
import Download from 'lucide/dist/esm/icons/download.mjs'
import { Drawer } from '../../client/components/drawer.tsx'
import { ErrorText } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { ImportReview } from '../../src/contracts/option.ts'
import { EXPORT_PATH, IMPORT_PATH } from './view.ts'

export function Transfer({ error }: { error?: string }) {
  const { t } = usePageContext()
  return (
    <div className="grid gap-4">
      <p className="help m-0">{t('revision.transfer_help')}</p>
      <span>
        <a href={EXPORT_PATH} className="btn btn-sm" download>
          <Icon of={Download} small />
          {t('revision.export')}
        </a>
      </span>
      <Form action={`${IMPORT_PATH}#section-transfer`} encType="multipart/form-data" fullPage className="grid gap-3">
        <div className="field">
          <label htmlFor="import-file">{t('revision.file')}</label>
          <input
            id="import-file"
            name="file"
            type="file"
            accept="application/json,.json"
            className="file-input"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'import-file-error' : undefined}
          />
          {error && <ErrorText id="import-file-error">{error}</ErrorText>}
        </div>
        <div className="field">
          <label htmlFor="import-table">{t('revision.paste')}</label>
          <textarea
            id="import-table"
            name="table"
            className="textarea mono"
            rows={3}
            autoComplete="off"
            spellCheck={false}
            placeholder='{"options": {"RetryTimes": "3"}}'
          />
        </div>
        <span>
          <button type="submit" className="btn btn-sm">
            {t('revision.compare')}
          </button>
        </span>
      </Form>
    </div>
  )
}

interface PreviewProps extends Omit<ImportReview, 'changes' | 'invalid'> {
  /** The file, to be sent again. */
  text: string
  close: string
  changes: (ImportReview['changes'][number] & { label: string })[]
  invalid: { label: string; message: string }[]
}

export function ImportPreview({ text, close, changes, invalid, unchanged, unknown, secrets }: PreviewProps) {
  const { t } = usePageContext()
  const isUsable = invalid.length === 0 && changes.length > 0
  return (
    <Drawer
      wide
      fullPage
      title={t('revision.preview')}
      close={close}
      action={IMPORT_PATH}
      submit={isUsable ? t('revision.apply', { count: changes.length }) : undefined}
    >
      <input type="hidden" name="table" value={text} />
      <input type="hidden" name="action" value="apply" />
      {invalid.length > 0 && (
        <div className="note error" role="alert">
          <div>
            <b>{t('revision.invalid')}</b>
            <ul className="m-0 pl-4">
              {invalid.map(({ label, message }) => (
                <li key={label}>
                  {label}: {message}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {changes.length === 0 ? (
        <p>{t('revision.no_difference')}</p>
      ) : (
        <ol className="revisions">
          {changes.map(({ key, label, before, after }) => (
            <li key={key}>
              <header>
                <b>{label}</b>
                <code className="help">{key}</code>
              </header>
              <table className="changed-values">
                <thead className="sr-only">
                  <tr>
                    <th scope="col">{t('revision.before')}</th>
                    <th scope="col">{t('revision.after')}</th>
                  </tr>
                </thead>
                <tbody>
                  <tr>
                    <td className="ink-3">{before || '–'}</td>
                    <td>{after || '–'}</td>
                  </tr>
                </tbody>
              </table>
            </li>
          ))}
        </ol>
      )}
      {unchanged > 0 && <p className="help">{t('revision.same', { count: unchanged })}</p>}
      <Left title={t('revision.unknown')} keys={unknown} />
      <Left title={t('revision.secrets')} keys={secrets} />
    </Drawer>
  )
}

/** Keys that stay out of the import. */
const Left = ({ title, keys }: { title: string; keys: string[] }) =>
  keys.length > 0 && (
    <p className="help wrap-anywhere">
      {title} <span className="mono">{keys.join(', ')}</span>
    </p>
  )
