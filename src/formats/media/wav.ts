/** Sound that comes as bare samples, put into a file that players know. */

const HEADER_BYTES = 44
const BITS = 16
const SAMPLE_BYTES = BITS / 8
/** Samples a second where it is not said, and the most that anybody takes. */
const [USUAL_RATE, HIGHEST_RATE] = [24_000, 768_000]

/** @returns base64 of a file, where the sound is samples of 16 bits; anything else as it is */
export function playable({ media_type, data }: { media_type: string; data: string }): string {
  if (!/^audio\/(?:l16|pcm)/i.test(media_type)) return data
  return waveFile(Buffer.from(data, 'base64'), media_type).toString('base64')
}

/** One channel of samples of 16 bits, uncompressed. @param media_type which may say how many there are a second */
export function waveFile(samples: Buffer, media_type: string): Buffer<ArrayBuffer> {
  const said = Number(/rate=(\d+)/i.exec(media_type)?.[1])
  const rate = said > 0 && said <= HIGHEST_RATE ? said : USUAL_RATE
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
