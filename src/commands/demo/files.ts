/** Files that the demo's upstream has made: a picture and a song that are computed, and a recorded film. */
import recorded from './film.json'

const SIDE = 512
const BYTES_PER_PIXEL = 3
const TRUECOLOUR = 2
const BIT_DEPTH = 8

/** A gate before a sky, in colours that follow from the seed: four of them beside each other, or one. */
export function picture(seed: number, count: 1 | 4): Uint8Array<ArrayBuffer> {
  const cells = Math.sqrt(count)
  const rows = new Uint8Array(SIDE * (SIDE * BYTES_PER_PIXEL + 1))
  for (let y = 0, at = 0; y < SIDE; y++) {
    rows[at++] = 0
    for (let x = 0; x < SIDE; x++) {
      const cell = Math.floor((x * cells) / SIDE) + cells * Math.floor((y * cells) / SIDE)
      rows.set(colourAt(((x * cells) % SIDE) / SIDE, ((y * cells) % SIDE) / SIDE, seed + cell), at)
      at += BYTES_PER_PIXEL
    }
  }
  return png(SIDE, SIDE, rows)
}

const HORIZON = 0.72

function colourAt(x: number, y: number, seed: number): [red: number, green: number, blue: number] {
  const hue = (seed * 47) % 360
  const isPost = Math.abs(x - 0.2) < 0.03 && y > 0.4 && y < 0.86
  const isBarrier = x > 0.2 && x < 0.92 && Math.abs(y - (0.5 - (x - 0.2) * 0.25)) < 0.022
  if (isPost) return [38, 42, 50]
  if (isBarrier) return Math.floor(x * 12) % 2 ? [236, 236, 230] : [204, 62, 44]
  if (y > HORIZON) return tinted(hue + 140, 0.32 - (y - HORIZON) * 0.5)
  const isSun = (x - 0.66) ** 2 + (y - 0.58) ** 2 < 0.012 && y < HORIZON
  return isSun ? [252, 214, 120] : tinted(hue, 0.35 + y * 0.55)
}

/** A colour of the wheel, between black and white. */
function tinted(degrees: number, light: number): [number, number, number] {
  const channel = (offset: number) =>
    Math.max(0, Math.min(255, Math.round(255 * light * (0.8 + 0.35 * Math.cos(((degrees + offset) * Math.PI) / 180)))))
  return [channel(0), channel(-120), channel(120)]
}

/** @param rows each with a filter byte before its pixels */
function png(width: number, height: number, rows: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, BIT_DEPTH)
  header.setUint8(9, TRUECOLOUR)
  const checksum = new DataView(new ArrayBuffer(4))
  checksum.setUint32(0, Bun.hash.adler32(rows))
  const packed = [new Uint8Array([0x78, 0x01]), Bun.deflateSync(rows), new Uint8Array(checksum.buffer)]
  const signature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', [new Uint8Array(header.buffer)]), chunk('IDAT', packed), chunk('IEND', [])]
  return joined([signature, ...parts])
}

function chunk(type: string, parts: Uint8Array[]): Uint8Array {
  const data = joined([new TextEncoder().encode(type), ...parts])
  const whole = new Uint8Array(data.length + 8)
  const view = new DataView(whole.buffer)
  view.setUint32(0, data.length - type.length)
  whole.set(data, 4)
  view.setUint32(data.length + 4, Bun.hash.crc32(data))
  return whole
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const RATE = 8000
const NOTE_SECONDS = 0.4
const HEADER_BYTES = 44
/** Semitones above A. */
const melodies = [
  [0, 4, 7, 12, 7, 4, 0, -5],
  [0, 3, 7, 10, 12, 10, 7, 3],
  [0, 5, 9, 12, 9, 5, 2, 0],
]

/** A short melody as WAV, mono, 8 bit. */
export function song(seed: number): Uint8Array<ArrayBuffer> {
  const notes = melodies[seed % melodies.length]!
  const length = Math.round(RATE * NOTE_SECONDS * notes.length)
  const bytes = new Uint8Array(HEADER_BYTES + length)
  const view = new DataView(bytes.buffer)
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at)
  text(0, 'RIFF')
  view.setUint32(4, HEADER_BYTES - 8 + length, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, BIT_DEPTH, true)
  text(36, 'data')
  view.setUint32(40, length, true)
  for (let at = 0; at < length; at++) {
    const within = (at / RATE) % NOTE_SECONDS
    const note = notes[Math.floor(at / RATE / NOTE_SECONDS)] ?? 0
    const fade = Math.exp(-4 * within)
    bytes[HEADER_BYTES + at] = 128 + Math.round(90 * fade * Math.sin(2 * Math.PI * 220 * 2 ** (note / 12) * within))
  }
  return bytes
}

/** A barrier that lifts, in WebM. */
export const film = (): Uint8Array<ArrayBuffer> => Uint8Array.fromBase64(recorded.base64)
