/** Security headers of pages. */
import type { Visit } from '../contracts/visit.ts'
import { scriptPath } from './assets.ts'

export type PageHeaders = Record<string, string>

/**
 * Only our own script runs in a page, no other site frames it, and no cache stores it.
 * @param humanCheck the page shows the human check: its script and frame are allowed
 */
export const pageHeaders = (
  { nonce, request_id, custom }: Visit,
  more: PageHeaders = {},
  humanCheck = false,
): PageHeaders => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': policy(nonce, othersOf(custom), humanCheck ? ` ${TURNSTILE}` : ''),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-request-id': request_id,
  // The browser compares it with the build that it runs.
  'tollgate-build': scriptPath,
  vary: 'accept-encoding, hx-request-type, cookie',
  ...more,
})

/** For a page with a frame of another site. */
export const framePolicy = ({ nonce, custom }: Visit, origin: string): PageHeaders => ({
  'content-security-policy': `${policy(nonce, othersOf(custom), '')}; frame-src ${origin}`,
})

/** For a page with a frame of another site, whose pop-up windows stay connected to the frame. */
export const framing = (visit: Visit, origin: string): PageHeaders => ({
  ...framePolicy(visit, origin),
  'cross-origin-opener-policy': 'same-origin-allow-popups',
})

/** For a page with a frame that may use camera and microphone, which a browser grants to the site of the frame alone. */
export const framingMedia = (visit: Visit, origin: string): PageHeaders => ({
  ...framing(visit, origin),
  'permissions-policy': `camera=(self "${origin}"), microphone=(self "${origin}"), geolocation=()`,
})

/**
 * For a page with a form that leads to another site, or to an app by its own scheme. That site may redirect the form to any
 * other one, and Chromium checks the redirects too: https is allowed, and the scheme of the address.
 */
export const postingTo = ({ nonce, custom }: Visit, { protocol }: URL): PageHeaders => ({
  'content-security-policy': policy(
    nonce,
    othersOf(custom),
    '',
    protocol === 'https:' ? ' https:' : ` https: ${protocol}`,
  ),
})

const othersOf = (custom: Visit['custom']) => (custom.head_html || custom.js ? ' https:' : '')

/** https://developers.cloudflare.com/turnstile/reference/content-security-policy/ (read 2026-11) */
const TURNSTILE = 'https://challenges.cloudflare.com'

/**
 * Style attributes set the widths of bars; style elements are only the operator's. Images may come from any https site;
 * with custom scripts, so may fonts and requests.
 */
const policy = (nonce: string, others: '' | ' https:', turnstile: string, formTargets = '') =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${turnstile}`,
    ...(turnstile ? [`frame-src${turnstile}`] : []),
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https:",
    "media-src 'self'",
    `font-src 'self'${others}`,
    `connect-src 'self'${others}`,
    `form-action 'self'${formTargets}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
