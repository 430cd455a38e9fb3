/** The API documentation: beginning, operations by noun, search. */
import { Empty } from '../../client/components/empty.tsx'
import { Search } from '../../client/components/filters.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { API_DOCS_PATH, API_DOCUMENT_PATH, type ApiNoun } from '../../src/contracts/api-docs.ts'
import { Operations } from './operation.tsx'
import { Start, type StartProps } from './start.tsx'
import { apiDocsAt } from './view.ts'

interface ApiDocsProps extends StartProps {
  nouns: ApiNoun[]
  /** Nouns with the operations that the reader searches. */
  found: ApiNoun[]
}

export function ApiDocs({ nouns, found, ...start }: ApiDocsProps) {
  const { t } = usePageContext()
  const { view } = start
  const isStart = !view.keyword && !view.noun
  return (
    <div className="public docs">
      <PageHead title={t('docs.title')}>
        <a className="btn" href={API_DOCUMENT_PATH}>
          {t('docs.document')}
        </a>
      </PageHead>
      <p className="ink-2 mt-0 mb-4 max-w-prose">{t('docs.lead')}</p>
      <div className="mb-4">
        <Search action={API_DOCS_PATH} value={view.keyword} placeholder={t('docs.search')} />
      </div>
      <div className="settings-grid docs-grid">
        <nav className="section-list" aria-label={t('docs.contents')}>
          <PageLink href={apiDocsAt()} aria-current={isStart ? 'true' : undefined}>
            {t('docs.start')}
          </PageLink>
          {nouns.map(({ noun }) => (
            <PageLink key={noun} href={apiDocsAt({ noun })} aria-current={view.noun === noun ? 'true' : undefined}>
              {t(`docs.noun_${noun}`)}
            </PageLink>
          ))}
        </nav>
        <div className="min-w-0">
          {isStart ? (
            <Start {...start} />
          ) : found.length ? (
            found.map(({ noun, operations }) => (
              <section key={noun} className="docs-section">
                <h2 className="section-title">{t(`docs.noun_${noun}`)}</h2>
                <Operations view={view} operations={operations} setting={start.setting} keys={start.keys} />
              </section>
            ))
          ) : (
            <Empty drawing="slip" text={t('docs.nothing_found')}>
              <PageLink href={apiDocsAt()} className="btn">
                {t('docs.start')}
              </PageLink>
            </Empty>
          )}
        </div>
      </div>
    </div>
  )
}
