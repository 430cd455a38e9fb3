/** One operation of the API: rights, fields, an example, and a form that sends it. */
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import { Flag } from '../../client/components/badge.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type ApiField, type ApiOperation, EXAMPLE_MODEL } from '../../src/contracts/api-docs.ts'
import { Island } from '../layout/island.tsx'
import { exampleCall } from './example.ts'
import { Code } from './start.tsx'
import { type ApiDocsView, type ApiSetting, apiDocsAt, type OwnKey } from './view.ts'

export interface OperationsProps {
  view: ApiDocsView
  operations: ApiOperation[]
  setting: ApiSetting
  keys?: OwnKey[]
}

/** One of the operations is open. */
export const Operations = ({ view, operations, ...props }: OperationsProps) => (
  <ul className="docs-operations">
    {operations.map(operation => (
      <li key={operation.id} id={operation.id}>
        <OperationHead view={view} operation={operation} />
        {view.open === operation.id && <Detail operation={withModel(operation, props.setting)} {...props} />}
      </li>
    ))}
  </ul>
)

/** The example names a model that the reader can call. */
const withModel = (operation: ApiOperation, { model }: ApiSetting): ApiOperation => ({
  ...operation,
  example: operation.example.replace(JSON.stringify(EXAMPLE_MODEL), JSON.stringify(model)),
})

function OperationHead({ view, operation }: { view: ApiDocsView; operation: ApiOperation }) {
  const { id, method, path, summary } = operation
  const isOpen = view.open === id
  return (
    <PageLink
      href={`${apiDocsAt({ ...view, open: isOpen ? undefined : id })}#${id}`}
      className="docs-head"
      aria-expanded={isOpen}
    >
      <Icon of={ChevronRight} small />
      <span className={`docs-method ${method.toLowerCase()}`}>{method}</span>
      <span className="mono break-all">{path}</span>
      <span className="ink-2">
        <Prose text={summary} />
      </span>
    </PageLink>
  )
}

function Detail({
  operation,
  setting,
  keys,
}: Omit<OperationsProps, 'view' | 'operations'> & { operation: ApiOperation }) {
  const { t } = usePageContext()
  const { id, access, confirmed, idempotent, description, fields, response, is_available, body_type, path } = operation
  const mayTry = is_available && body_type !== 'form' && !path.endsWith('/realtime')
  return (
    <div className="docs-detail">
      <p className="m-0 flex flex-wrap gap-2">
        <Flag>{t(`docs.access_${access}`)}</Flag>
        {confirmed && <Flag tone="warning">{t('docs.confirmed')}</Flag>}
        {idempotent && <Flag>{t('docs.idempotent')}</Flag>}
      </p>
      {description && (
        <p className="m-0" lang="en">
          <Prose text={description} />
        </p>
      )}
      {fields.length > 0 && <Fields fields={fields} />}
      {is_available && (
        <>
          <p className="help m-0">
            {t(operation.of_relay ? 'docs.answer' : 'docs.answer_data')} <code className="mono">{response}</code>
          </p>
          <Code title={t('docs.example')} text={exampleCall(operation, setting)} />
        </>
      )}
      {mayTry && (
        <Island
          name="api-try"
          about={id}
          operation={operation}
          keys={keys ?? []}
          signed_in={keys !== undefined}
          model={setting.model}
        />
      )}
    </div>
  )
}

function Fields({ fields }: { fields: ApiField[] }) {
  const { t } = usePageContext()
  return (
    <table className="ledger plain">
      <thead>
        <tr>
          <th scope="col">{t('docs.field')}</th>
          <th scope="col" className="wide-only">
            {t('docs.place')}
          </th>
          <th scope="col">{t('docs.type')}</th>
          <th scope="col">{t('docs.meaning')}</th>
        </tr>
      </thead>
      <tbody lang="en">
        {fields.map(({ name, place, type, is_required, about }) => (
          <tr key={`${place} ${name}`}>
            <th scope="row" className="mono !font-normal !static">
              {name}
              {is_required && (
                <span className="ink-error" title={t('docs.required')}>
                  {' '}
                  *<span className="sr-only">{t('docs.required')}</span>
                </span>
              )}
            </th>
            <td className="ink-2 wide-only">{t(`docs.in_${place}`)}</td>
            <td className="mono ink-2">{type}</td>
            <td>
              <Prose text={about} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Text with code between backticks. */
const Prose = ({ text }: { text: string }) =>
  text.split('`').map((piece, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text
      <code key={index} className="mono">
        {piece}
      </code>
    ) : (
      piece
    ),
  )
