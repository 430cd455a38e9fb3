/** Recordings whose length the upstream does not report: counted by their blocks, else billed by the lowest rate. */
import { expect, test } from 'bun:test'
import { client, RICH } from '../../support/people/client.ts'
import { recording } from '../../support/people/speech-file.ts'
import { saysText } from '../../support/upstream/endpoint-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream()
await channelTo(upstream, { models: 'whisper-1' })
const whisper = { model: 'whisper-1' }

const formOf = (fields: Record<string, string | File>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

/** A WebM recording without a length: clusters of Opus packets of 20 ms, a block each. */
function webm(seconds: number, packet_bytes: number, { forged = false } = {}): File {
  const size = (bytes: number) =>
    Buffer.from([0x08, 0, 0, 0, 0].map((byte, at) => byte | (at ? (bytes >>> (8 * (4 - at))) & 255 : 0)))
  const element = (id: number[], ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    return Buffer.concat([Buffer.from(id), size(body.length), body])
  }
  const unknown = Buffer.from([0x01, 255, 255, 255, 255, 255, 255, 255])
  const parts = [element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], Buffer.from('webm')))]
  parts.push(Buffer.from([0x18, 0x53, 0x80, 0x67]), unknown)
  const track = [
    element([0xd7], Buffer.from([1])),
    element([0x83], Buffer.from([2])),
    element([0x86], Buffer.from('A_OPUS')),
  ]
  parts.push(element([0x16, 0x54, 0xae, 0x6b], element([0xae], ...track)))
  for (let second = 0; second < seconds; second++) {
    const at = Buffer.alloc(4)
    at.writeUInt32BE(forged ? 0 : second * 1000)
    parts.push(Buffer.from([0x1f, 0x43, 0xb6, 0x75]), unknown, element([0xe7], at))
    for (let block = 0; block < 50; block++) {
      const packet = Buffer.alloc(packet_bytes, 0xaa)
      packet[0] = 0x08 // 20 ms of speech, one frame
      const head = Buffer.from([0x81, 0, 0, 0])
      head.writeInt16BE(forged ? 0 : block * 20, 1)
      parts.push(element([0xa3], head, packet))
    }
  }
  return new File(parts, 'speech.webm', { type: 'audio/webm' })
}

/** An Ogg recording of Opus packets of 20 ms whose pages all say that nothing was played. */
function ogg(seconds: number, packet_bytes: number): File {
  const page = (...packets: Buffer[]) => {
    const head = Buffer.alloc(27)
    head.write('OggS')
    head[26] = packets.length
    return Buffer.concat([head, Buffer.from(packets.map(packet => packet.length)), ...packets])
  }
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head[8] = 1
  head[9] = 1
  const packet = Buffer.alloc(packet_bytes, 0xaa)
  packet[0] = 0x08
  const pages = Array.from({ length: seconds }, () => page(...Array<Buffer>(50).fill(packet)))
  return new File([page(head), page(Buffer.from('OpusTags\0\0\0\0\0\0\0\0')), ...pages], 'speech.ogg', {
    type: 'audio/ogg',
  })
}

const priceOf = (seconds: number) => seconds * 250
const lowRate: [name: string, file: File, least: number, most: number][] = [
  ['Opus of 6 kbit/s in WebM without a length', webm(400, 15), 399, 401],
  ['the same at the usual rate', webm(30, 80), 29, 31],
  ['Opus in WebM whose times are forged', webm(400, 15, { forged: true }), 399, 401],
  ['Opus in Ogg whose times are forged', ogg(400, 15), 399, 401],
  ['nothing known', new File([Buffer.alloc(300_000, 7)], 'speech.bin'), 300, 302],
]

test.each(lowRate)(
  'a recording is billed by what it lasts when the upstream reports nothing: %s',
  async (_, file, least, most) => {
    upstream.scripts('whisper-1', saysText('Hello'))
    const ann = await client()
    const response = await ann.postTo('/v1/audio/transcriptions', formOf({ file, ...whisper, response_format: 'text' }))
    expect(response.status).toBe(200)
    expect(RICH - (await ann.balance())).toBeWithin(priceOf(least), priceOf(most) + 1)
  },
)

test.each([
  ['srt', '1\n00:00:00,000 --> 00:00:04,000\nHello\n\n2\n00:02:00,500 --> 00:03:20,900\nthere\n', 200],
  ['vtt', 'WEBVTT\n\n00:04.000 --> 00:06.000\nHello\n\n01:40.000 --> 03:20.100\nthere\n', 200],
])('the last cue of %s subtitles is the least that is billed', async (response_format, text, seconds) => {
  upstream.scripts('whisper-1', saysText(text))
  const ann = await client()
  await (
    await ann.postTo('/v1/audio/transcriptions', formOf({ file: recording(1), ...whisper, response_format }))
  ).text()
  expect(RICH - (await ann.balance())).toBeWithin(priceOf(seconds) - 10, priceOf(seconds) + 1)
})
