/** Random ids, keys and numbers from the system's generator. */
import { randomBytes, randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` characters of [0-9A-Za-z], without modulo bias. */
export function randomKey(length: number): string {
  let key = ''
  while (key.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && key.length < length) key += alphabet[byte % 62]
    }
  }
  return key
}

/** `length` digits, without modulo bias. */
export const randomDigits = (length: number) => String(randomInt(10 ** length)).padStart(length, '0')

/** A unique request id: `req_` and a UUIDv7 in base64url. */
export const requestId = () => `req_${Bun.randomUUIDv7('base64url')}`

const MOMENT_BYTES = 6
const MS_PER_SECOND = 1000

/** Unix seconds at which a request id was made: a UUIDv7 begins with its milliseconds. @returns undefined for other texts */
export function momentOfRequest(id: string): number | undefined {
  const uuid = /^req_([\w-]{22})$/.exec(id)?.[1]
  if (!uuid) return undefined
  return Math.floor(Buffer.from(uuid, 'base64url').readUIntBE(0, MOMENT_BYTES) / MS_PER_SECOND)
}

/** Base64url of `bytes` random bytes. */
export const randomToken = (bytes: number) => randomBytes(bytes).toString('base64url')

const RANDOM_BYTES = 8
const RANDOM_VALUES = 2n ** BigInt(8 * RANDOM_BYTES)

/** A whole number from `min` to `max`, both inclusive, without modulo bias. */
export function randomWhole(min: number, max: number): number {
  const count = BigInt(max) - BigInt(min) + 1n
  for (;;) {
    const value = randomBytes(RANDOM_BYTES).readBigUInt64BE()
    if (value < RANDOM_VALUES - (RANDOM_VALUES % count)) return min + Number(value % count)
  }
}
