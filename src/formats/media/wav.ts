/** Raw audio samples as WAV files. */

const HEADER_BYTES = 44
const BITS = 16
const SAMPLE_BYTES = BITS / 8
/** Samples per second: the default, and the limit. */
const [DEFAULT_RATE, RATE_MAX] = [24_000, 768_000]

/** @returns base64 of a WAV file for samples of 16 bits, else the data unchanged */
export function playable({ media_type, data }: { media_type: string; data: string }): string {
  if (!/^audio\/(?:l16|pcm)/i.test(media_type)) return data
  return waveFile(Buffer.from(data, 'base64'), media_type).toString('base64')
}

/** Writes one channel of uncompressed 16-bit samples. @param media_type may contain the rate, such as `audio/l16;rate=24000` */
export function waveFile(samples: Buffer, media_type: string): Buffer<ArrayBuffer> {
  const named = Number(/rate=(\d+)/i.exec(media_type)?.[1])
  const rate = named > 0 && named <= RATE_MAX ? named : DEFAULT_RATE
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('RIFF', 0)
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * SAMPLE_BYTES, 28)
  header.writeUInt16LE(SAMPLE_BYTES, 32)
  header.writeUInt16LE(BITS, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}
