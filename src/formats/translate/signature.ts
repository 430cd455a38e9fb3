/**
 * Signatures travel through clients whose format knows only its own provider's. A foreign one is wrapped so that, when
 * it comes back, it is known whose it is: only its owner is ever shown it again, for anyone else would refuse it.
 */
import type { Owner, Signature } from '../canonical/chat.ts'

/** Nine bytes, so that in base64 the mark is a prefix of its own: Gemini's signatures must be base64. */
const MARK = 'tollgate:'
const WRAPPED = btoa(MARK)

const wrapped = /^tollgate:(openai|anthropic|gemini)(!?):(.*)$/s

/** A signature as a client gets it whose format belongs to `owner`. */
export function wrap(signature: Signature, owner: Owner): string {
  if (signature.owner === owner && !signature.redacted) return signature.value
  const text = `${MARK}${signature.owner}${signature.redacted ? '!' : ''}:${signature.value}`
  return Buffer.from(text, 'utf8').toString('base64')
}

/** The signature that a client of `owner`'s format sends back. */
export function unwrap(value: string, owner: Owner): Signature {
  const found = value.startsWith(WRAPPED) ? wrapped.exec(Buffer.from(value, 'base64').toString('utf8')) : null
  if (!found) return { owner, value }
  const signature: Signature = { owner: found[1] as Owner, value: found[3]! }
  return found[2] ? { ...signature, redacted: true } : signature
}

/** What `owner` may be shown of a signature. */
export const ownedBy = (owner: Owner, signature: Signature | undefined): Signature | undefined =>
  signature?.owner === owner ? signature : undefined
