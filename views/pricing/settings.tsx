/** Frame of price administration: the settings page, whose index has the areas. */
import type { ReactNode } from 'react'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { SectionName } from '../../src/domain/options/index.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { SettingsFrame } from '../settings/frame.tsx'
import { type IndexEntry, sectionAt } from '../settings/view.ts'
import { AREAS, type Area, PRICE_VIEWS, type PriceCounts, type PriceView, settingsAt } from './settings-view.ts'

interface SettingsProps {
  area: Area
  /** The other sections of the tab. */
  sections: SectionName[]
  children: ReactNode
  /** Drawer or dialog over the page. */
  overlay?: ReactNode
}

export function Settings({ area, sections, children, overlay }: SettingsProps) {
  const { t } = usePageContext()
  const index = [
    ...sections.map(name => ({ href: sectionAt('operation', name), title: t(`settings.section_${name}`) })),
    ...areaEntries(t, area),
  ]
  return (
    <SettingsFrame tab="operation" index={index} overlay={overlay}>
      <section className="section min-w-0">
        <header>
          <h2>{t(`pricing.area_${area}`)}</h2>
          <p className="help">{t(`pricing.area_${area}_help`)}</p>
        </header>
        {children}
      </section>
    </SettingsFrame>
  )
}

/** The areas in the index of the tab. */
export const areaEntries = (t: Translate, current?: Area): IndexEntry[] =>
  AREAS.map(name => ({
    href: settingsAt({ area: name }),
    title: t(`pricing.area_${name}`),
    isCurrent: name === current,
  }))

/** Sub-tabs of the price area. */
export function PriceTabs({ view, counts }: { view: PriceView; counts: PriceCounts }) {
  const { t } = usePageContext()
  return (
    <nav className="page-tabs !mb-1" aria-label={t('pricing.area_prices')}>
      {PRICE_VIEWS.map(name => (
        <a
          key={name}
          href={settingsAt({ area: 'prices', view: name })}
          aria-current={name === view ? 'page' : undefined}
        >
          {t(`pricing.view_${name}`)}
          {name !== 'tables' && <span className="count"> {grouped(counts[name])}</span>}
        </a>
      ))}
    </nav>
  )
}
