/**
 * Signatures of another provider, wrapped so that they survive a client whose format knows only its own. A signature is
 * sent back only to its owner: any other provider would refuse it.
 */
import type { Owner, Signature } from '../canonical/chat.ts'

/** Nine bytes, so that the base64 of a wrapped signature always begins with the same letters. Gemini accepts only base64. */
const MARK = 'tollgate:'
const WRAPPED = btoa(MARK)

const wrapped = /^tollgate:([a-z]+)(!?):(.*)$/s

/** @param owner of the client's format. @returns a signature for that client */
export function wrap(signature: Signature, owner: Owner): string {
  if (signature.owner === owner && !signature.redacted) return signature.value
  const text = `${MARK}${signature.owner}${signature.redacted ? '!' : ''}:${signature.value}`
  return Buffer.from(text, 'utf8').toString('base64')
}

/** @param owner of the client's format. @returns the signature that the client sends back */
export function unwrap(value: string, owner: Owner): Signature {
  const match = value.startsWith(WRAPPED) ? wrapped.exec(Buffer.from(value, 'base64').toString('utf8')) : null
  if (!match) return { owner, value }
  const signature: Signature = { owner: match[1] as Owner, value: match[3]! }
  return match[2] ? { ...signature, redacted: true } : signature
}

/** @returns undefined for the signature of another provider */
export const ownedBy = (owner: Owner, signature: Signature | undefined): Signature | undefined =>
  signature?.owner === owner ? signature : undefined
