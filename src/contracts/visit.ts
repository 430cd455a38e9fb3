/** A page request as its render sees it. */
import type { Language } from '../locales/languages.ts'
import type { SessionUser } from './account.ts'
import type { PublicStatus } from './status.ts'

/** `system` follows the visitor's device. */
export type Theme = 'gate' | 'gate-night' | 'system'

/** Everything that the render of a page may depend on. */
export interface Visit {
  request_id: string
  /** Path and query of the page, for the menu and for `returnTo`. */
  url: string
  /** CSP nonce for the one inline script of the document. */
  nonce: string
  /** Goes into every form as `csrf`, and into htmx requests as a header. */
  csrf: string
  language: Language
  theme: Theme
  /** IANA name from the visitor's cookie; UTC until the browser has sent it. */
  zone: string
  /** Whether the sidebar shows only icons. */
  collapsed: boolean
  page_size: number
  /** Whether single keys are shortcuts. */
  shortcuts: boolean
  caller: SessionUser | undefined
  /** Unread messages; 0 for a visitor. */
  unread: number
  /** Balance of the caller in quota, while it is below their warning threshold. */
  low_balance: number | undefined
  /** Channels that disabled themselves; 0 for readers who are no administrators. */
  closed_channels: number
  status: PublicStatus
  custom: Custom
}

/** The operator's additions to every page. */
export interface Custom {
  /** Not sanitised: only the root account may set it. */
  head_html: string
  /** Whether `/custom/global.css` and `/custom/global.js` exist. */
  css: boolean
  js: boolean
}
