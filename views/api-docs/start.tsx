/** Beginning of the API documentation: base URLs, a key, and the setup of clients. */
import { Copy } from '../../client/components/copy.tsx'
import { Form, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { API_DOCS_PATH } from '../../src/contracts/api-docs.ts'
import { type ClientGuide, clientGuides } from './clients.ts'
import { type ApiDocsView, type ApiSetting, apiDocsAt, NO_KEY, type OwnKey } from './view.ts'

export interface StartProps {
  view: ApiDocsView
  setting: ApiSetting
  /** Keys of a signed-in reader. */
  keys?: OwnKey[]
  /** The key that the reader has put in. */
  chosen?: OwnKey
}

export function Start({ view, setting, keys, chosen }: StartProps) {
  const { t } = usePageContext()
  const { base } = setting
  const guide = clientGuides.find(({ id }) => id === view.client) ?? clientGuides[0]!
  return (
    <>
      <section className="docs-section">
        <h2 className="section-title">{t('docs.base_urls')}</h2>
        <table className="ledger plain">
          <tbody>
            <BaseUrl label={t('docs.for_openai')} url={`${base}/v1`} />
            <BaseUrl label={t('docs.for_anthropic')} url={base} />
            <BaseUrl label={t('docs.for_gemini')} url={base} />
          </tbody>
        </table>
        <p className="help">{t('docs.key_headers')}</p>
      </section>
      <section className="docs-section">
        <h2 className="section-title">{t('docs.clients')}</h2>
        <KeyChoice view={view} keys={keys} chosen={chosen} />
        <nav className="docs-clients" aria-label={t('docs.clients')}>
          {clientGuides.map(({ id, label }) => (
            <PageLink key={id} href={apiDocsAt({ client: id })} aria-current={id === guide.id ? 'true' : undefined}>
              {label}
            </PageLink>
          ))}
        </nav>
        <Guide guide={guide} setting={setting} />
      </section>
    </>
  )
}

const BaseUrl = ({ label, url }: { label: string; url: string }) => (
  <tr>
    <th scope="row" className="ink-2 !font-normal !static">
      {label}
    </th>
    <td className="mono break-all">{url}</td>
    <td className="number tight">
      <Copy text={url} />
    </td>
  </tr>
)

function KeyChoice({ view, keys, chosen }: Pick<StartProps, 'view' | 'keys' | 'chosen'>) {
  const { t } = usePageContext()
  if (!keys)
    return (
      <p className="help">
        <a className="text" href={`/login?${new URLSearchParams({ returnTo: apiDocsAt(view) })}`}>
          {t('docs.sign_in_for_key')}
        </a>
      </p>
    )
  if (!keys.length)
    return (
      <p className="help">
        <a className="text" href="/app/tokens?new">
          {t('docs.create_key')}
        </a>
      </p>
    )
  return (
    <Form action={`${API_DOCS_PATH}/key`} returnTo={apiDocsAt(view)} className="docs-key">
      <label htmlFor="docs-key">{t('docs.own_key')}</label>
      <select id="docs-key" name="key" className="select !w-48" defaultValue={chosen?.id}>
        {keys.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" className="btn">
        {t('docs.put_in')}
      </button>
      {chosen && (
        <PageLink href={apiDocsAt(view)} className="btn btn-ghost">
          {t('docs.take_out')}
        </PageLink>
      )}
      <span className="help">{t(chosen ? 'docs.key_is_in' : 'docs.key_hidden', { key: chosen?.name ?? NO_KEY })}</span>
    </Form>
  )
}

/** How one client is connected. */
export function Guide({ guide, setting }: { guide: ClientGuide; setting: ApiSetting }) {
  const { t } = usePageContext()
  const { file, code } = guide
  return (
    <div className="docs-guide">
      <p>{t(guide.where)}</p>
      {file && <Code title={file.path} text={file.text(setting)} />}
      {code && <Code title={file ? t('docs.in_shell') : guide.label} text={code(setting)} />}
      {guide.fields && (
        <table className="ledger plain">
          <tbody>
            {guide.fields(setting).map(([label, value]) => (
              <tr key={label}>
                <th scope="row" className="ink-2 !font-normal !static">
                  {label}
                </th>
                <td className="mono break-all">{value}</td>
                <td className="number tight">
                  <Copy text={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

export const Code = ({ title, text }: { title: string; text: string }) => (
  <div className="code">
    <div>
      <span className="help px-2 py-2">{title}</span>
      <Copy text={text} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
    <pre tabIndex={0}>{text}</pre>
  </div>
)
