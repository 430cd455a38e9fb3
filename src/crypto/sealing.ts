/** The installation's one key: kept in DATA_DIR/secret.key when SECRET_KEY is not set. Seals what must be read back. */

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '../env.ts'
import { StartupError } from '../process/shutdown.ts'

const keyLength = 32
const ivLength = 12
const tagLength = 16
const SECRET_LENGTH_MIN = 16
const mark = 'v1:'

let master: Buffer | undefined

/** The secret behind every key below; made on the first start. */
function masterSecret(): Buffer {
  master ??= Buffer.from(env.SECRET_KEY ?? keptSecret())
  return master
}

function keptSecret(): string {
  const path = join(env.DATA_DIR, 'secret.key')
  try {
    if (!existsSync(path)) makeSecret(path)
    const kept = readFileSync(path, 'utf8').trim()
    if (kept.length < SECRET_LENGTH_MIN) throw new Error('it is empty or cut short')
    return kept
  } catch (error) {
    throw new StartupError(`cannot use the secret key in ${path}: ${(error as Error).message}`)
  }
}

/** Written under another name first: of two processes that make one at once, both read the same whole file. */
function makeSecret(path: string) {
  mkdirSync(env.DATA_DIR, { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(keyLength).toString('base64url')}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(draft)
  }
}

/** A key for one purpose, derived from the installation's secret. */
const derived = new Map<string, Buffer>()
function keyFor(purpose: string): Buffer {
  let key = derived.get(purpose)
  if (!key) {
    key = Buffer.from(hkdfSync('sha256', masterSecret(), 'tollgate', purpose, keyLength))
    derived.set(purpose, key)
  }
  return key
}

/** AES-256-GCM; an empty text stays empty. */
export function seal(text: string): string {
  if (!text) return ''
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), iv)
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return mark + sealed.toString('base64url')
}

/** @throws when the text was sealed under another SECRET_KEY or altered. */
export function unseal(sealed: string): string {
  if (!sealed) return ''
  const bytes = Buffer.from(sealed.slice(mark.length), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyFor('seal'), bytes.subarray(0, ivLength))
  decipher.setAuthTag(bytes.subarray(-tagLength))
  return Buffer.concat([decipher.update(bytes.subarray(ivLength, -tagLength)), decipher.final()]).toString('utf8')
}

/** SHA-256 in hex: how keys and session ids are looked up without being stored. */
export const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** A keyed digest in hex, for things a visitor hands back (CSRF tokens). */
export const sign = (purpose: string, text: string) => createHmac('sha256', keyFor(purpose)).update(text).digest('hex')

/** Whether somebody has handed back what they were given, told in a time that says nothing of how near they came. */
export const isEqual = (given: unknown, right: string): boolean =>
  typeof given === 'string' && timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(right)))
