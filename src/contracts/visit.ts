import type { SessionUser } from './account.ts'
import type { PublicStatus } from './status.ts'

export type Language = 'en' | 'zh'
/** `system` follows the visitor's machine. */
export type Theme = 'gate' | 'gate-night' | 'system'

/** What is known of one page request before its page is built: all that a render may depend on. */
export interface Visit {
  request_id: string
  /** Path and query, for "where am I" and returnTo. */
  url: string
  /** CSP nonce for the one inline script of the document. */
  nonce: string
  /** Goes into every form as `csrf`, and into htmx requests as a header. */
  csrf: string
  language: Language
  theme: Theme
  /** IANA name from the visitor's cookie; UTC until the browser has told. */
  zone: string
  /** Whether the side menu is a rail of icons. */
  collapsed: boolean
  page_size: number
  caller: SessionUser | undefined
  /** Unread messages, where there is an inbox. */
  unread?: number
  status: PublicStatus
  /** What the operator adds to every page. */
  custom: Custom
}

export interface Custom {
  /** As it was written: only the super admin may. */
  head_html: string
  /** Whether there is a style sheet, and a script. */
  css: boolean
  js: boolean
}
