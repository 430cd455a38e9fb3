/** Short-lived tokens signed with a shared secret (JWT, HS256). https://datatracker.ietf.org/doc/html/rfc7519 (read 2026-11) */
import { createHmac } from 'node:crypto'

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** @param claims in the order in which they are written */
export function hs256(claims: object, secret: string): string {
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
