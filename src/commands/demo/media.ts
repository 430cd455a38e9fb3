/** Files that the demo's upstream makes: a drawn picture, a short melody. */

const BITS_PER_BYTE = 8
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

type Colour = readonly [red: number, green: number, blue: number]
/** The colour of a point; both coordinates from 0 to 1. */
type Painting = (x: number, y: number) => Colour

/** A PNG of so many pixels a side. https://www.w3.org/TR/png-3/ (read 2026-11) */
export function png(size: number, paint: Painting): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array(size * (1 + size * 3))
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      rows.set(paint(column / size, row / size), row * (1 + size * 3) + 1 + column * 3)
  const head = new DataView(new ArrayBuffer(13))
  head.setUint32(0, size)
  head.setUint32(4, size)
  head.setUint8(8, BITS_PER_BYTE)
  head.setUint8(9, 2)
  return joined(
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', new Uint8Array(head.buffer)),
    chunk('IDAT', joined(Uint8Array.of(0x78, 0x01), Bun.deflateSync(rows), word(Bun.hash.adler32(rows)))),
    chunk('IEND', new Uint8Array()),
  )
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const typed = joined(Buffer.from(type), content)
  return joined(word(content.length), typed, word(Bun.hash.crc32(typed)))
}

function word(value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4))
  bytes.setUint32(0, value)
  return new Uint8Array(bytes.buffer)
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const RATE = 8000
const NOTE_SECONDS = 0.4
const melody = [392, 440, 494, 587, 494, 440, 392, 330]

/** A WAV of eight notes. */
export function wav(): Uint8Array<ArrayBuffer> {
  const count = Math.floor(melody.length * NOTE_SECONDS * RATE)
  const bytes = new Uint8Array(44 + count)
  const head = new DataView(bytes.buffer)
  const text = (at: number, word: string) => bytes.set(Buffer.from(word), at)
  text(0, 'RIFF')
  head.setUint32(4, 36 + count, true)
  text(8, 'WAVEfmt ')
  head.setUint32(16, 16, true)
  head.setUint16(20, 1, true)
  head.setUint16(22, 1, true)
  head.setUint32(24, RATE, true)
  head.setUint32(28, RATE, true)
  head.setUint16(32, 1, true)
  head.setUint16(34, BITS_PER_BYTE, true)
  text(36, 'data')
  head.setUint32(40, count, true)
  for (let at = 0; at < count; at++) {
    const seconds = at / RATE
    const into = (seconds % NOTE_SECONDS) / NOTE_SECONDS
    const note = melody[Math.floor(seconds / NOTE_SECONDS)]!
    bytes[44 + at] = 128 + Math.round(60 * (1 - into) * Math.sin(2 * Math.PI * note * seconds))
  }
  return bytes
}

const mix = (one: Colour, other: Colour, share: number): Colour =>
  [...one.map((value, at) => Math.round(value + (other[at]! - value) * share))] as unknown as Colour

/** A toll gate at dawn, in one of several lights. */
export function tollGate(light: number): Painting {
  const skies: [top: Colour, low: Colour][] = [
    [
      [38, 70, 110],
      [244, 178, 120],
    ],
    [
      [60, 42, 92],
      [236, 132, 118],
    ],
    [
      [24, 84, 104],
      [240, 214, 150],
    ],
    [
      [18, 30, 58],
      [108, 150, 176],
    ],
  ]
  const [top, low] = skies[light % skies.length]!
  return (x, y) => {
    if (isGate(x, y)) return [28, 30, 34]
    if (y > HORIZON) return mix([70, 84, 74], [36, 44, 46], (y - HORIZON) / (1 - HORIZON))
    const far = Math.hypot(x - 0.62, y - 0.56)
    return far < 0.09 ? [255, 232, 190] : mix(mix(top, low, y / HORIZON), [255, 232, 190], Math.max(0, 0.35 - far))
  }
}

const HORIZON = 0.68

/** Two posts and a raised arm. */
function isGate(x: number, y: number): boolean {
  const isPost = (x > 0.2 && x < 0.25 && y > 0.42 && y < 0.86) || (x > 0.74 && x < 0.79 && y > 0.6 && y < 0.86)
  const along = (x - 0.22) / 0.5
  const isArm = along > 0 && along < 1 && Math.abs(y - (0.45 - along * 0.3)) < 0.016
  return isPost || isArm
}

/** Four of them, as an imagined drawing has them. */
export const fourOf = (): Painting => (x, y) =>
  tollGate((x < 0.5 ? 0 : 1) + (y < 0.5 ? 0 : 2))((x * 2) % 1, (y * 2) % 1)
