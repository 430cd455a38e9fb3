import type { Visit } from '../contracts/visit.ts'

export type Headed = Record<string, string>

/** Nothing runs in a page but our own script, no other site frames it, and no cache keeps it. */
export const pageHeaders = ({ nonce, request_id, custom }: Visit, more: Headed = {}): Headed => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': policy(nonce, custom.head_html || custom.js ? ' https:' : ''),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-request-id': request_id,
  vary: 'accept-encoding, hx-request-type, cookie',
  ...more,
})

/**
 * Widths of bars are style attributes; style elements are only the operator's. Logos and images in messages may come
 * from anywhere safe; so may what the operator's own scripts ask for.
 */
const policy = (nonce: string, others: '' | ' https:') =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https:",
    `font-src 'self'${others}`,
    `connect-src 'self'${others}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
