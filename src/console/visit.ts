/** Builds the Visit of a page request: everything that its render depends on. */
import { Role } from '../contracts/account.ts'
import { PAGE_ROWS_DEFAULT, PAGE_SIZES } from '../contracts/paging.ts'
import type { Theme, Visit } from '../contracts/visit.ts'
import { randomToken } from '../crypto/random-id.ts'
import type { Session } from '../domain/account/index.ts'
import { countAutoDisabled } from '../domain/channels/index.ts'
import { unreadCount } from '../domain/messages/index.ts'
import { option, publicStatus } from '../domain/options/index.ts'
import { isEnabled, warningThreshold } from '../domain/users/index.ts'
import { knownZone } from '../pure/time.ts'
import type { TimeoutControl } from '../stream/client-connection.ts'
import { cookieOf, idOf, languageFor } from '../web/request.ts'
import { csrfOf } from './csrf.ts'
import { bySession, type Identity } from './identify.ts'

export interface RequestContext {
  request: Request
  server: ({ requestIP(request: Request): { address: string } | null } & TimeoutControl) | null
  body: unknown
}

const NONCE_BYTES = 16
const themes = ['gate', 'gate-night', 'system'] as const

export interface SessionVisit {
  visit: Visit
  session?: Session
}

export async function visitOf({ request }: RequestContext): Promise<SessionVisit> {
  const session = buildVisit(request, await bySession(request))
  const { caller } = session.visit
  if (!caller) return session
  const [unread, closed_channels] = await Promise.all([
    unreadCount(caller.id),
    caller.role >= Role.admin ? countAutoDisabled() : 0,
  ])
  return { ...session, visit: { ...session.visit, unread, closed_channels } }
}

/** @param identity absent for a visitor, and while the database does not answer */
export function buildVisit(request: Request, identity?: Identity): SessionVisit {
  const signedIn = identity && isEnabled(identity.user) ? identity : undefined
  const { pathname, search } = new URL(request.url)
  const theme = cookieOf(request, 'theme') as Theme
  const collapsed = cookieOf(request, 'collapsed')
  const status = publicStatus()
  const visit: Visit = {
    request_id: idOf(request),
    url: pathname + search,
    nonce: randomToken(NONCE_BYTES),
    csrf: signedIn?.session ? csrfOf(signedIn.session.id) : '',
    language: languageFor(request),
    zone: knownZone(cookieOf(request, 'zone')),
    theme: themes.includes(theme as 'gate') ? theme : 'system',
    collapsed: collapsed === undefined ? status.default_collapse_sidebar : collapsed === 'true',
    page_size: PAGE_SIZES.find(size => String(size) === cookieOf(request, 'page-size')) ?? PAGE_ROWS_DEFAULT,
    shortcuts: cookieOf(request, 'shortcuts') !== 'false',
    caller: signedIn?.caller,
    unread: 0,
    closed_channels: 0,
    low_balance: signedIn && lowBalanceOf(signedIn),
    status,
    custom: {
      head_html: option('custom_head_html'),
      css: option('global_css') !== '',
      js: option('global_js') !== '',
    },
  }
  return { visit, session: signedIn?.session }
}

const lowBalanceOf = ({ user }: Identity) => (user.quota < warningThreshold(user) ? user.quota : undefined)

/** The request at another address: that of the page which shows its form again. */
export const pageAt = <Page extends { visit: Visit }>(page: Page, url: string): Page => ({
  ...page,
  visit: { ...page.visit, url },
})
