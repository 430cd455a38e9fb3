/** Shell of a page: top bar, sidebar, footer. */
import type { ReactNode } from 'react'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Visit } from '../../src/contracts/visit.ts'
import { OperatorFooter, PublicFooter } from '../branding/footer.tsx'
import { PaletteDialog } from '../palette/palette.tsx'
import { ShortcutsDialog } from '../palette/shortcuts.tsx'
import { LowBalance } from './low-balance.tsx'
import { PhoneMenu, Sidebar } from './sidebar.tsx'
import { Topbar } from './topbar.tsx'

/** `console`: top bar and sidebar; `public`: top bar; `auth` (sign-in, set-up): neither. */
export type PageFrame = 'console' | 'public' | 'auth'

interface ShellProps {
  visit: Visit
  frame: PageFrame
  /** Sanitised HTML of the option `Footer`. */
  footer: string
  children: ReactNode
}

export function Shell({ visit, frame, footer, children }: ShellProps) {
  const { t } = usePageContext()
  if (frame === 'auth') return children
  const skip = (
    <a className="not-focus:sr-only skip" href="#main">
      {t('shell.skip')}
    </a>
  )
  if (frame === 'public' || !visit.caller) {
    return (
      <>
        {skip}
        <Topbar visit={visit} />
        <main id="main" className="public-main" hx-history-elt="">
          {children}
        </main>
        <PublicFooter visit={visit} html={footer} />
        <PhoneMenu visit={visit} />
        {visit.caller && <Overlays visit={visit} />}
      </>
    )
  }
  return (
    <>
      {skip}
      <Topbar visit={visit} />
      <div className={visit.collapsed ? 'frame narrow' : 'frame'}>
        <Sidebar visit={visit} />
        <div className="min-w-0">
          <LowBalance visit={visit} />
          <main id="main" className="page" hx-history-elt="">
            {children}
          </main>
          {footer && <OperatorFooter html={footer} />}
        </div>
      </div>
      <PhoneMenu visit={visit} />
      <Overlays visit={visit} />
    </>
  )
}

/** What keys open over any page of a signed-in user. */
const Overlays = ({ visit }: { visit: Visit }) => (
  <>
    <template id="palette-template">
      <PaletteDialog />
    </template>
    <template id="shortcuts-template">
      <ShortcutsDialog visit={visit} />
    </template>
  </>
)
