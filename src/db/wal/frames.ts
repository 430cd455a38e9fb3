/**
 * The write-ahead log as SQLite writes it: a header of 32 bytes, then frames of 24 bytes and a page. A frame counts when it
 * has the salts of the header and continues the checksum. https://sqlite.org/fileformat2.html#walformat (read 2026-11)
 */
import { readSync } from 'node:fs'

export const WAL_HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24
/** Its checksums are of little-endian words, as all machines write them that Bun runs on. */
const MAGIC = 0x377f0682
const SLICE_BYTES = 262_144

export interface WalHeader {
  page_bytes: number
  /** Both of them: another one with each restart of the log. */
  salts: string
  sums: Sums
}

type Sums = readonly [number, number]

/** End of a transaction in the log. */
export interface WalPosition {
  offset: number
  sums: Sums
  /** Size of the database after it; 0 before the first transaction. */
  pages: number
}

/** @returns undefined for a log that is empty or not whole */
export function readHeader(file: number): WalHeader | undefined {
  const bytes = Buffer.alloc(WAL_HEADER_BYTES)
  if (readSync(file, bytes, 0, WAL_HEADER_BYTES, 0) < WAL_HEADER_BYTES) return undefined
  if (bytes.readUInt32BE(0) !== MAGIC) return undefined
  const sums = continued([0, 0], bytes, 0, 24)
  if (sums[0] !== bytes.readInt32BE(24) || sums[1] !== bytes.readInt32BE(28)) return undefined
  return { page_bytes: bytes.readUInt32BE(8), salts: bytes.toString('hex', 16, 24), sums }
}

export const startOf = (header: WalHeader): WalPosition => ({ offset: WAL_HEADER_BYTES, sums: header.sums, pages: 0 })

/** Ends of the transactions behind a position, in their order. */
export function* commitsAfter(file: number, { page_bytes, salts }: WalHeader, from: WalPosition) {
  const frame_bytes = FRAME_HEADER_BYTES + page_bytes
  const slice = Buffer.alloc(Math.max(1, Math.floor(SLICE_BYTES / frame_bytes)) * frame_bytes)
  let { offset, sums } = from
  for (;;) {
    const read = readSync(file, slice, 0, slice.length, offset)
    for (let at = 0; at + frame_bytes <= read; at += frame_bytes) {
      if (slice.toString('hex', at + 8, at + 16) !== salts) return
      sums = continued(continued(sums, slice, at, 8), slice, at + FRAME_HEADER_BYTES, page_bytes)
      if (sums[0] !== slice.readInt32BE(at + 16) || sums[1] !== slice.readInt32BE(at + 20)) return
      const pages = slice.readUInt32BE(at + 4)
      if (pages) yield { offset: offset + at + frame_bytes, sums, pages } satisfies WalPosition
    }
    if (read < slice.length) return
    offset += read
  }
}

/** The last image of each page between two positions, by its number. */
export function pagesBetween(file: number, { page_bytes }: WalHeader, from: number, to: number) {
  const frame_bytes = FRAME_HEADER_BYTES + page_bytes
  const places = new Map<number, number>()
  const head = Buffer.alloc(FRAME_HEADER_BYTES)
  for (let at = from; at < to; at += frame_bytes) {
    readSync(file, head, 0, FRAME_HEADER_BYTES, at)
    places.set(head.readUInt32BE(0), at + FRAME_HEADER_BYTES)
  }
  const numbers = [...places.keys()]
  const images = Buffer.alloc(numbers.length * page_bytes)
  for (const [at, number] of numbers.entries()) readSync(file, images, at * page_bytes, page_bytes, places.get(number)!)
  return { numbers, images }
}

/** Whole numbers of 32 bits throughout: unsigned ones are counted in floating point, twenty times as long. */
function continued([first, second]: Sums, bytes: Buffer, from: number, length: number): Sums {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + from, length / 4)
  let one = first
  let two = second
  for (let at = 0; at < words.length; at += 2) {
    one = (((one + words[at]!) | 0) + two) | 0
    two = (((two + words[at + 1]!) | 0) + one) | 0
  }
  return [one, two]
}
