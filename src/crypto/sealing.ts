/** Sealing (AES-256-GCM), digests and signatures under keys derived from the installation's secret. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { store } from '../process/stores.ts'
import { masterSecret } from './secret-file.ts'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION_PREFIX = 'v1:'

const derivedKeys = store('derived-keys', new Map<string, Buffer>())

/** The key for one purpose, by HKDF-SHA-256. */
function keyFor(purpose: string): Buffer {
  let key = derivedKeys.get(purpose)
  if (!key) {
    key = derive(masterSecret(), purpose)
    derivedKeys.set(purpose, key)
  }
  return key
}

const derive = (secret: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, 'tollgate', purpose, KEY_BYTES))

/** Encrypts a text for storage: `v1:` and base64url of IV, ciphertext and tag. An empty text stays empty. */
export const seal = (text: string): string => sealUnder(keyFor('seal'), text)

/** Decrypts a sealed text. @throws Error when it was altered or sealed under another secret */
export const unseal = (sealed: string): string => unsealUnder(keyFor('seal'), sealed)

export interface Sealer {
  seal(text: string): string
  /** @returns undefined for a text that was altered or sealed under another secret */
  unseal(sealed: string): string | undefined
}

/** Seals under a secret that is not, or no longer, the installation's. */
export function sealerUnder(secret: string): Sealer {
  const key = derive(Buffer.from(secret), 'seal')
  const unseal = (sealed: string) => {
    try {
      return unsealUnder(key, sealed)
    } catch {
      return undefined
    }
  }
  return { seal: text => sealUnder(key, text), unseal }
}

function sealUnder(key: Buffer, text: string): string {
  if (!text) return ''
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return VERSION_PREFIX + sealed.toString('base64url')
}

function unsealUnder(key: Buffer, sealed: string): string {
  if (!sealed) return ''
  const bytes = Buffer.from(sealed.slice(VERSION_PREFIX.length), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** @returns '' for a text that was sealed under another secret, so that a list still loads */
export function unsealedOrBlank(sealed: string): string {
  try {
    return unseal(sealed)
  } catch {
    return ''
  }
}

/** SHA-256 in hex: API keys and session ids are looked up by it and not stored in clear. */
export const digest = (text: string): string => Bun.SHA256.hash(text, 'hex')

/** HMAC-SHA-256 in hex, for values that a client sends back (CSRF tokens). */
export const sign = (purpose: string, text: string) => createHmac('sha256', keyFor(purpose)).update(text).digest('hex')

/** Compares in constant time; false for a value that is no string. */
export const isEqual = (given: unknown, expected: string): boolean =>
  typeof given === 'string' && timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(expected)))
