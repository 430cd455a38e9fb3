/**
 * CSRF tokens: one secret for each session, masked anew for each page. The length of a compressed page then reveals
 * nothing about it (BREACH).
 */
import { randomFillSync, timingSafeEqual } from 'node:crypto'
import { sign } from '../crypto/sealing.ts'

const SECRET_BYTES = 32

const secretOf = (session_id: string) => Buffer.from(sign('csrf', session_id), 'hex')

/** A random mask and the session's secret under it, in base64url: another text at each call. */
export function csrfOf(session_id: string): string {
  const mask = randomFillSync(Buffer.alloc(SECRET_BYTES))
  return Buffer.concat([mask, xor(mask, secretOf(session_id))]).toString('base64url')
}

/** Whether a token is of this session, under whatever mask. Compares in constant time. */
export function isCsrfOf(session_id: string, token: unknown): boolean {
  const bytes = Buffer.from(typeof token === 'string' ? token : '', 'base64url')
  if (bytes.length !== 2 * SECRET_BYTES) return false
  const secret = xor(bytes.subarray(0, SECRET_BYTES), bytes.subarray(SECRET_BYTES))
  return timingSafeEqual(secret, secretOf(session_id))
}

const xor = (one: Buffer, other: Buffer) => Buffer.from(one.map((byte, index) => byte ^ other[index]!))
