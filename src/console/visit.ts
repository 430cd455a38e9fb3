/** Everything that a page render depends on, gathered once. */
import { PAGE_SIZE_DEFAULT, PAGE_SIZES } from '../contracts/paging.ts'
import type { Theme, Visit } from '../contracts/visit.ts'
import { randomToken } from '../crypto/random-id.ts'
import { option, publicStatus } from '../domain/options/index.ts'
import { isEnabled } from '../domain/users/index.ts'
import { knownZone } from '../pure/time.ts'
import { cookieOf, idOf, languageFor } from '../web/request.ts'
import { bySession, type Identity } from './identify.ts'
import { csrfOf } from './session-cookie.ts'

export interface RequestContext {
  request: Request
  server: { requestIP(request: Request): { address: string } | null } | null
  body: unknown
}

const NONCE_BYTES = 16
const themes = ['gate', 'gate-night', 'system'] as const

interface Visited {
  visit: Visit
  session_id?: string
}

export const visitOf = async ({ request }: RequestContext): Promise<Visited> =>
  visitBy(await bySession(request), request)

/** @param identity none for a visitor, and for whom the database cannot name just now */
export function visitBy(identity: Identity | undefined, request: Request): Visited {
  const known = identity && isEnabled(identity.user) ? identity : undefined
  const { pathname, search } = new URL(request.url)
  const theme = cookieOf(request, 'theme') as Theme
  const collapsed = cookieOf(request, 'collapsed')
  const status = publicStatus()
  const visit: Visit = {
    request_id: idOf(request),
    url: pathname + search,
    nonce: randomToken(NONCE_BYTES),
    csrf: known?.session_id ? csrfOf(known.session_id) : '',
    language: languageFor(request),
    zone: knownZone(cookieOf(request, 'zone')),
    theme: themes.includes(theme as 'gate') ? theme : 'system',
    collapsed: collapsed === undefined ? status.default_collapse_sidebar : collapsed === 'true',
    page_size: PAGE_SIZES.find(size => String(size) === cookieOf(request, 'page-size')) ?? PAGE_SIZE_DEFAULT,
    caller: known?.caller,
    status,
    custom: {
      head_html: option('custom_head_html'),
      css: option('global_css') !== '',
      js: option('global_js') !== '',
    },
  }
  return { visit, session_id: known?.session_id }
}
