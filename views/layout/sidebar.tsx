/** Sidebar, and the menu of phones. */
import PanelLeftClose from 'lucide/dist/esm/icons/panel-left-close.mjs'
import PanelLeftOpen from 'lucide/dist/esm/icons/panel-left-open.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Visit } from '../../src/contracts/visit.ts'
import { badge } from '../../src/pure/number.ts'
import { Brand } from './brand.tsx'
import { type MenuEntry, type MenuSection, sidebarSections, topbarEntries } from './menu.ts'
import { LanguageSwitch, ThemeSwitch } from './preferences.tsx'

const pathOf = (url: string) => url.split('?')[0]!

/** True on the page itself and on pages below it. */
const isCurrent = (href: string, url: string) => pathOf(url) === href || pathOf(url).startsWith(`${href}/`)

/** Side menu, wide or a rail of icons; the choice is kept in a cookie. */
export function Sidebar({ visit }: { visit: Visit }) {
  const { t } = usePageContext()
  const { collapsed, url } = visit
  return (
    <nav className="sidebar" aria-label={t('shell.menu')}>
      <Sections of={sidebarSections(visit, t)} url={url} rail={collapsed} />
      <Form action="/preferences" returnTo={url} className="end !px-0" hx-target="body" hx-replace-url="false">
        <button
          type="submit"
          name="collapsed"
          value={String(!collapsed)}
          className="sidebar-toggle"
          title={t(collapsed ? 'shell.expand' : 'shell.collapse')}
        >
          <Icon of={collapsed ? PanelLeftOpen : PanelLeftClose} />
          <span>{t(collapsed ? 'shell.expand' : 'shell.collapse')}</span>
        </button>
      </Form>
    </nav>
  )
}

/** Phone menu: the side menu, the links of the top bar and the preferences in one sheet. */
export function PhoneMenu({ visit }: { visit: Visit }) {
  const { t } = usePageContext()
  return (
    <nav id="phone-menu" popover="auto" className="sheet menu-sheet" aria-label={t('shell.menu')}>
      <header>
        <Brand visit={visit} className="flex-1" />
        <button
          type="button"
          className="icon-button"
          popoverTarget="phone-menu"
          popoverTargetAction="hide"
          aria-label={t('shell.close_menu')}
        >
          <Icon of={X} />
        </button>
      </header>
      <div>
        <Sections
          of={[
            ...sidebarSections(visit, t),
            { title: visit.caller ? visit.status.system_name : undefined, entries: phoneEntries(visit, t) },
          ]}
          url={visit.url}
        />
      </div>
      <footer className="!justify-around">
        <ThemeSwitch visit={visit} id="phone-theme" showLabel />
        <LanguageSwitch visit={visit} id="phone-language" showLabel />
      </footer>
    </nav>
  )
}

function phoneEntries(visit: Visit, t: ReturnType<typeof usePageContext>['t']): MenuEntry[] {
  const top = topbarEntries(visit, t).filter(({ href }) => href !== '/app/tokens')
  return visit.caller ? top : [...top, { href: '/login', label: t('shell.sign_in') }]
}

function Sections({ of: sections, url, rail }: { of: MenuSection[]; url: string; rail?: boolean }) {
  return sections.map(({ title, entries }, index) => (
    <div key={title ?? index} className="contents">
      {title && <h2>{title}</h2>}
      <ul>
        {entries.map(({ href, label, icon, stopped }) => (
          <li key={href}>
            <a href={href} aria-current={isCurrent(href, url) ? 'page' : undefined} title={rail ? label : undefined}>
              {icon && <Icon of={icon} />}
              <span>{label}</span>
              {stopped && (
                <b className="stopped" title={stopped.label}>
                  <span className="sr-only">{stopped.label}</span>
                  <i aria-hidden="true">{badge(stopped.count)}</i>
                </b>
              )}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ))
}
