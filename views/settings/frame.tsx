/** Frame of the settings: heading, search, tabs, and the index of a tab beside its content. */

import type { ReactNode } from 'react'
import { Search } from '../../client/components/filters.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { SETTINGS_PATH } from '../../src/contracts/option.ts'
import { type IndexEntry, SETTINGS_TABS, type SettingsTab, tabAt } from './view.ts'

interface FrameProps {
  tab: SettingsTab
  q?: string
  index: IndexEntry[]
  children: ReactNode
  /** Drawer or dialog over the page. */
  overlay?: ReactNode
}

export function SettingsFrame({ tab, q, index, children, overlay }: FrameProps) {
  const { t } = usePageContext()
  return (
    <>
      <PageHead title={t('shell.settings')}>
        <Search action={SETTINGS_PATH} name="q" value={q} placeholder={t('settings.search')}>
          <input type="hidden" name="tab" value={tab} />
        </Search>
      </PageHead>
      <nav className="page-tabs" aria-label={t('shell.settings')}>
        {SETTINGS_TABS.map(name => (
          <a key={name} href={tabAt(name)} aria-current={name === tab && q === undefined ? 'page' : undefined}>
            {t(`settings.${name}_tab`)}
          </a>
        ))}
      </nav>
      <div className="settings-grid">
        {index.length > 0 && <Index entries={index} />}
        <div className="min-w-0">{children}</div>
      </div>
      {overlay}
    </>
  )
}

function Index({ entries }: { entries: IndexEntry[] }) {
  const { t } = usePageContext()
  return (
    <nav className="section-list" aria-label={t('settings.sections')}>
      {entries.map(({ href, title, section, errors, isCurrent }) => (
        <a key={href} href={href} data-section={section} aria-current={isCurrent ? 'page' : undefined}>
          {title}
          {errors !== undefined && errors > 0 && (
            <span className="count-errors">
              {errors}
              <span className="sr-only"> {t('settings.errors', { count: errors })}</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  )
}
