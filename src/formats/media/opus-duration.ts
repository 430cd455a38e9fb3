/**
 * The duration of a WebM or Ogg recording by its blocks: browsers record without a length, and a length may be forged.
 * https://www.rfc-editor.org/rfc/rfc6716#section-3.1, https://www.rfc-editor.org/rfc/rfc9559 (read 2026-11)
 */
import { ByteReader } from './byte-reader.ts'

/** @returns undefined for another container; what has been read of a broken one */
export async function secondsOfBlocks(content: ReadableStream<Uint8Array>): Promise<number | undefined> {
  const bytes = new ByteReader(content)
  const mark = (await bytes.has(MARK_BYTES)) ? bytes.uint(0, MARK_BYTES) : 0
  if (mark === EBML) return secondsOfWebm(bytes)
  if (mark === OGG_PAGE) return secondsOfOgg(bytes)
}

const MARK_BYTES = 4
const EBML = 0x1a45dfa3
const OGG_PAGE = 0x4f676753
const MS_PER_SECOND = 1000

/** Elements that are entered; all others are skipped. */
const masters = new Set([0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0x1f43b675, 0xa0])
const [TIMESTAMP, SCALE, CODEC, SIMPLE_BLOCK, BLOCK] = [0xe7, 0x2ad7b1, 0x86, 0xa3, 0xa1]
const HEAD_BYTES = 12
const NANOSECONDS_PER_SECOND = 1_000_000_000

async function secondsOfWebm(bytes: ByteReader): Promise<number | undefined> {
  let [scale_ns, cluster, last, isOpus] = [1_000_000, 0, 0, false]
  const packets = new Map<number, number>()
  while ((await bytes.has(HEAD_BYTES)) || bytes.left > 1) {
    const id_bytes = vintBytes(bytes.uint(0, 1))
    const size_bytes = vintBytes(bytes.uint(id_bytes, 1))
    if (id_bytes > MARK_BYTES || size_bytes > 8) break
    const id = bytes.uint(0, id_bytes)
    const size = bytes.uint(id_bytes, size_bytes) - 2 ** (7 * size_bytes)
    bytes.skip(id_bytes + size_bytes)
    if (masters.has(id)) continue
    if (!(await bytes.has(Math.min(size, HEAD_BYTES)))) break
    if (id === TIMESTAMP) cluster = bytes.uint(0, Math.min(size, 8))
    else if (id === SCALE) scale_ns = bytes.uint(0, Math.min(size, 8))
    else if (id === CODEC) isOpus ||= bytes.text(0, Math.min(size, HEAD_BYTES)) === 'A_OPUS'
    else if (id === SIMPLE_BLOCK || id === BLOCK) {
      const track_bytes = vintBytes(bytes.uint(0, 1))
      const payload = track_bytes + 3
      last = Math.max(last, cluster + ((bytes.uint(track_bytes, 2) << 16) >> 16))
      const track = bytes.uint(0, track_bytes)
      packets.set(track, (packets.get(track) ?? 0) + packet_ms(bytes.uint(payload, 1), bytes.uint(payload + 1, 1)))
    }
    await bytes.skipAll(size)
  }
  const by_packets = isOpus ? Math.max(0, ...packets.values()) / MS_PER_SECOND : 0
  return Math.max((last * scale_ns) / NANOSECONDS_PER_SECOND, by_packets) || undefined
}

/** Bytes of a number whose leading zero bits count them; 9 for none. */
const vintBytes = (first: number) => Math.clz32(first) - 23

const PAGE_BYTES = 27
const SEGMENT_MAX = 255

async function secondsOfOgg(bytes: ByteReader): Promise<number | undefined> {
  let [ms, isOpus, continues] = [0, false, false]
  while (await bytes.has(PAGE_BYTES)) {
    if (bytes.uint(0, MARK_BYTES) !== OGG_PAGE) break
    const count = bytes.uint(PAGE_BYTES - 1, 1)
    if (!(await bytes.has(PAGE_BYTES + count))) break
    const sizes = Array.from({ length: count }, (_, index) => bytes.uint(PAGE_BYTES + index, 1))
    bytes.skip(PAGE_BYTES + count)
    for (const size of sizes) {
      if (!(await bytes.has(Math.min(size, 4)))) return isOpus ? ms / MS_PER_SECOND : undefined
      const isHeader = bytes.text(0, 4) === 'Opus'
      isOpus ||= isHeader
      if (!continues && !isHeader && size) ms += packet_ms(bytes.uint(0, 1), bytes.uint(1, 1))
      continues = size === SEGMENT_MAX
      await bytes.skipAll(size)
    }
  }
  return isOpus ? ms / MS_PER_SECOND || undefined : undefined
}

/** Milliseconds of a frame by the two bits of its configuration, in the three modes of Opus. */
const [speech, hybrid, music] = [
  [10, 20, 40, 60],
  [10, 20, 10, 20],
  [2.5, 5, 10, 20],
] as const
const FRAMES_MASK = 63

/** @param count the second byte, with the number of frames of a packet that has any number */
function packet_ms(head: number, count: number): number {
  const configuration = head >> 3
  const mode = configuration < 12 ? speech : configuration < 16 ? hybrid : music
  const frames = [1, 2, 2, count & FRAMES_MASK][head & 3]!
  return mode[configuration & 3]! * frames
}
