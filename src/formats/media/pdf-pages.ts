/**
 * The pages of a PDF: page objects in the file and in its compressed object streams.
 * https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf 7.5.7, 7.7.3 (read 2026-11)
 */
import { inflateSync } from 'node:zlib'

/** What is inflated of one file, so that a small file costs little time. */
const INFLATED_MAX_BYTES = 8 * 1_048_576
/** Bytes of a page in a file whose pages cannot be read, and in one that inflates to more. */
const [USUAL_PAGE_BYTES, SMALL_PAGE_BYTES] = [25_000, 2000]

/** @param base64 the file. @returns at least 1; an estimate by its size when its pages cannot be read */
export function pagesOf(base64: string): number {
  const bytes = Buffer.from(base64, 'base64')
  const found = Math.max(pageObjectsIn(bytes), pagesInObjectStreams(bytes))
  return found || Math.ceil(bytes.length / USUAL_PAGE_BYTES) || 1
}

const NAME = '/Page'

/** `/Type /Page`, not `/Type /Pages` or `/PageMode`. */
function pageObjectsIn(bytes: Buffer): number {
  let pages = 0
  for (let at = bytes.indexOf(NAME); at >= 0; at = bytes.indexOf(NAME, at + NAME.length)) {
    const is_whole = !/[A-Za-z]/.test(String.fromCharCode(bytes[at + NAME.length] ?? 0))
    if (is_whole && /\/Type\s*$/.test(bytes.toString('latin1', Math.max(0, at - 12), at))) pages++
  }
  return pages
}

/** Whole files of a newer kind have all their pages in such streams. */
function pagesInObjectStreams(bytes: Buffer): number {
  let pages = 0
  let budget = INFLATED_MAX_BYTES
  for (let at = bytes.indexOf('/ObjStm'); at >= 0; at = bytes.indexOf('/ObjStm', at + 1)) {
    const inflated = inflatedAt(bytes, at, budget)
    budget -= inflated?.length ?? budget
    if (!inflated || budget <= 0) return Math.ceil(bytes.length / SMALL_PAGE_BYTES)
    pages += pageObjectsIn(inflated)
  }
  return pages
}

/** @param at within the dictionary of the stream. @returns undefined when it inflates to more */
function inflatedAt(bytes: Buffer, at: number, budget: number): Buffer | undefined {
  const keyword = bytes.indexOf('stream', at)
  const end = bytes.indexOf('endstream', keyword + 1)
  if (keyword < 0 || end < 0) return Buffer.alloc(0)
  const start = keyword + 'stream'.length + (bytes[keyword + 6] === 0x0d ? 2 : 1)
  try {
    return inflateSync(bytes.subarray(start, end), { maxOutputLength: budget })
  } catch (error) {
    return error instanceof RangeError ? undefined : Buffer.alloc(0)
  }
}
