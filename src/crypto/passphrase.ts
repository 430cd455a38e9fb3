/** Encryption by a passphrase: AES-256-GCM under a key of scrypt. The name of an object is authenticated with it. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'

const SALT_BYTES = 16
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** 128 MB and about 0.3 s for a guess. https://www.rfc-editor.org/rfc/rfc7914 */
const COST = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 }

export const newSalt = (): string => randomBytes(SALT_BYTES).toString('base64')

export const keyFrom = (passphrase: string, salt: string): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  scrypt(passphrase.normalize(), Buffer.from(salt, 'base64'), KEY_BYTES, COST, (error, key) =>
    error ? reject(error) : resolve(key),
  )
  return promise
}

export function encrypt(key: Buffer, name: string, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** @returns undefined for what was altered, cut, encrypted under another key or for another name */
export function decrypt(key: Buffer, name: string, bytes: Uint8Array): Buffer | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(name))
  cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()])
  } catch {
    return undefined
  }
}
