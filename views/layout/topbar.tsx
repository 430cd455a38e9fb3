/** Top bar: links, preferences, inbox, account. */
import LogOut from 'lucide/dist/esm/icons/log-out.mjs'
import MenuDrawing from 'lucide/dist/esm/icons/menu.mjs'
import UserRound from 'lucide/dist/esm/icons/user-round.mjs'
import WalletDrawing from 'lucide/dist/esm/icons/wallet.mjs'
import { Icon } from '../../client/components/icon.tsx'
import { Menu, MenuLink } from '../../client/components/menu.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { SessionUser } from '../../src/contracts/account.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { Bell } from '../messages/bell.tsx'
import { PaletteButton } from '../palette/palette.tsx'
import { Brand } from './brand.tsx'
import { type MenuEntry, topbarEntries } from './menu.ts'
import { LanguageSwitch, ThemeSwitch } from './preferences.tsx'

const consolePages = /^\/(app|admin|playground|chat|channel|user)(\/|\?|$)/

function isCurrent({ href }: MenuEntry, url: string) {
  return href === '/app/tokens' ? consolePages.test(url) : url.split('?')[0] === href
}

export function Topbar({ visit }: { visit: Visit }) {
  const { t } = usePageContext()
  const { caller, status, url } = visit
  return (
    <header className="topbar">
      <Brand visit={visit} />
      {status.self_use_mode_enabled && <span className="flag wide-only">{t('shell.self_use')}</span>}
      {status.demo_site_enabled && <span className="flag wide-only">{t('shell.demo_site')}</span>}
      <nav className="top-navigation" aria-label={t('shell.main')}>
        {topbarEntries(visit, t).map(entry => (
          <a key={entry.href} href={entry.href} aria-current={isCurrent(entry, url) ? 'page' : undefined}>
            {entry.label}
          </a>
        ))}
      </nav>
      {caller && <PaletteButton />}
      <ThemeSwitch visit={visit} id="theme-menu" />
      <LanguageSwitch visit={visit} id="language-menu" />
      {caller ? <AccountLinks visit={visit} caller={caller} /> : <SignInLinks visit={visit} />}
      <button type="button" className="icon-button sm:hidden" popoverTarget="phone-menu" aria-label={t('shell.menu')}>
        <Icon of={MenuDrawing} />
      </button>
    </header>
  )
}

/** Inbox and account menu of a signed-in user. */
function AccountLinks({ visit, caller }: { visit: Visit; caller: SessionUser }) {
  const { t } = usePageContext()
  const name = caller.display_name || caller.username
  return (
    <>
      <Bell unread={visit.unread} />
      <Menu
        id="account-menu"
        label={t('shell.account', { name: caller.username })}
        button={
          <span className="avatar" aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
        }
      >
        <p className="menu-head">
          <b>{name}</b>
          {name !== caller.username && <span className="help">{caller.username}</span>}
        </p>
        <hr />
        <MenuLink href="/app/wallet" icon={WalletDrawing}>
          {t('shell.wallet')}
        </MenuLink>
        <MenuLink href="/app/me" icon={UserRound}>
          {t('shell.me')}
        </MenuLink>
        <hr />
        <form method="post" action="/logout">
          <input type="hidden" name="csrf" value={visit.csrf} />
          <button type="submit">
            <Icon of={LogOut} />
            {t('shell.sign_out')}
          </button>
        </form>
      </Menu>
    </>
  )
}

/** Sign-in and sign-up for visitors. */
function SignInLinks({ visit }: { visit: Visit }) {
  const { t } = usePageContext()
  const signUpClosed = !visit.status.registration_open
  return (
    <>
      <a className={signUpClosed ? 'btn btn-primary' : 'btn btn-ghost wide-only'} href="/login">
        {t('shell.sign_in')}
      </a>
      {!signUpClosed && (
        <a className="btn btn-primary" href="/register">
          {t('shell.sign_up')}
        </a>
      )}
    </>
  )
}
