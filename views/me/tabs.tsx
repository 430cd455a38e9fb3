/** Head of the personal settings: its tabs are pages of their own. */
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import type { Visit } from '../../src/contracts/visit.ts'
import { type MeTab, meTabAt, meTabsFor } from './view.ts'

export function MeTabs({ visit, current }: { visit: Visit; current: MeTab }) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('me.title')} />
      <nav className="page-tabs" aria-label={t('me.title')}>
        {meTabsFor(visit).map(tab => (
          <a key={tab} href={meTabAt(tab)} aria-current={tab === current ? 'page' : undefined}>
            {t(`me.tab_${tab}`)}
          </a>
        ))}
      </nav>
    </>
  )
}
