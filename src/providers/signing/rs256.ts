/** JSON Web Tokens signed with RS256. https://www.rfc-editor.org/rfc/rfc7519 (read 2026-11) */
import { type KeyObject, sign } from 'node:crypto'
import type { Json } from '../../pure/json.ts'

/** @param header beside `alg` and `typ` */
export function signJwt(header: Json, claims: Json, key: KeyObject): string {
  const signed = [{ alg: 'RS256', typ: 'JWT', ...header }, claims].map(base64Of).join('.')
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

const base64Of = (part: Json): string => Buffer.from(JSON.stringify(part)).toString('base64url')
