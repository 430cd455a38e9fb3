/** The reservation for prompts with media, and for conversations that the upstream has stored. */
import { beforeEach, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { client } from '../../support/people/client.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'
import { maxOutputUpstream, PROMPT } from '../../support/upstream/max-output-upstream.ts'

const models = ['claude-opus-4-1', 'gemini-2.5-pro', 'gpt-4o']
const [chat, responses] = [await maxOutputUpstream('openai-chat'), await maxOutputUpstream('openai-responses')]
await channelOf('openai-chat', chat, { models: models.join() })
await channelOf('openai-responses', responses, { models: 'o3', setting: '{"allow_unknown_ids":true}' })
const atOne = Object.fromEntries([...models, 'o3'].map(model => [model, 1]))
await setPrice('ModelRatio', atOne)
await setPrice('CompletionRatio', atOne)
await setOption('PreConsumedQuota', 0)

beforeEach(() => Object.assign(chat, { received: [] }))

const BALANCE = 1_000_000

/** Tokens that are reserved for a content: what the upstream's limit leaves of the balance. */
async function reservedFor(content: unknown, model = 'gpt-4o') {
  const ann = await client({}, BALANCE)
  const answer = await ann.chat({ model, max_tokens: BALANCE, messages: [{ role: 'user', content }] })
  expect(answer.status).toBe(200)
  return BALANCE - Number(chat.received.at(-1)!.max_tokens)
}

/** Frame of a message with the names of its fields, and rounding. */
const FRAME = 40

const pdf = (bytes: string | Buffer) => [
  {
    type: 'file',
    file: {
      filename: 'a.pdf',
      file_data: `data:application/pdf;base64,${Buffer.from(bytes as string, 'latin1').toString('base64')}`,
    },
  },
]
const page = '2 0 obj <</Type /Page /Parent 1 0 R>> endobj\n'
const plain = (pages: number) =>
  `%PDF-1.4\n1 0 obj <</Type /Pages /PageMode /UseNone /Count ${pages}>> endobj\n${page.repeat(pages)}`

function compressed(pages: number) {
  const stream = deflateSync(Buffer.from('<</Type/Page/Parent 1 0 R>> '.repeat(pages)))
  return Buffer.concat([
    Buffer.from('%PDF-1.5\n5 0 obj <</Type /ObjStm /Filter /FlateDecode>> stream\r\n'),
    stream,
    Buffer.from('\nendstream endobj\n'),
  ])
}

test.each([
  ['gpt-4o', 2000],
  ['claude-opus-4-1', 3500],
  ['gemini-2.5-pro', 560],
])('the pages of a PDF are reserved for: %s', async (model, tokens) => {
  expect(await reservedFor(pdf(plain(12)), model)).toBeWithin(12 * tokens, 12 * tokens + FRAME)
  expect(await reservedFor(pdf(compressed(12)), model)).toBeWithin(12 * tokens, 12 * tokens + FRAME)
})

test('a document whose pages cannot be read is reserved for by its size', async () => {
  expect(await reservedFor(pdf('x'.repeat(100_000)))).toBeWithin(4 * 2000, 4 * 2000 + FRAME)
  // 16 MB of blanks
  const bomb = Buffer.concat([
    Buffer.from('<</Type /ObjStm>> stream\n'),
    deflateSync(Buffer.alloc(16 * 1_048_576, 0x20)),
    Buffer.from('\nendstream'),
  ])
  const pages = Math.ceil(bomb.length / 2000)
  expect(await reservedFor(pdf(bomb))).toBeWithin(pages * 2000, pages * 2000 + FRAME)
})

test('pages and images also count in a request that only the upstream understands', async () => {
  const ann = await client({}, BALANCE)
  const file = { type: 'document', source: { type: 'base64', data: Buffer.from(plain(12)).toString('base64') } }
  const unread = [{ role: 'user', content: [file, { type: 'hologram', url: 'https://example.com/a' }] }]
  const answer = await ann.chat({ max_tokens: BALANCE, messages: unread })
  expect(answer.status).toBe(200)
  const reserved = BALANCE - Number(chat.received.at(-1)!.max_tokens)
  expect(reserved).toBeWithin(12 * 2000 + 1445, 12 * 2000 + 1445 + 4 * FRAME)
})

/** The head of a PNG of this size. */
function png(width: number, height: number): string {
  const head = Buffer.alloc(33)
  head.write('\x89PNG\r\n\x1a\n', 'latin1')
  head.writeUInt32BE(13, 8)
  head.write('IHDR', 12)
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return `data:image/png;base64,${head.toString('base64')}`
}
const image = (url: string, detail?: string) => [{ type: 'image_url', image_url: { url, detail } }]

test('images are reserved for by size, detail and model', async () => {
  expect(await reservedFor(image(png(2048, 768)))).toBeWithin(1445, 1445 + FRAME)
  expect(await reservedFor(image(png(200, 100)))).toBeWithin(255, 255 + FRAME)
  expect(await reservedFor(image(png(2048, 768), 'low'))).toBeWithin(85, 85 + FRAME)
  expect(await reservedFor(image(png(750, 100)), 'claude-opus-4-1')).toBeWithin(100, 100 + FRAME)
  expect(await reservedFor(image(png(1536, 768)), 'gemini-2.5-pro')).toBeWithin(516, 516 + FRAME)
})

test('an image at a URL counts as a large one', async () => {
  expect(await reservedFor(image('https://example.com/a.png'))).toBeWithin(1445, 1445 + FRAME)
  expect(await reservedFor(image('https://example.com/a.png'), 'claude-opus-4-1')).toBeWithin(1600, 1600 + FRAME)
})

test('a recording is reserved for by its seconds', async () => {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(1000, 28)
  const data = Buffer.concat([header, Buffer.alloc(60_000)]).toString('base64')
  const recording = [{ type: 'input_audio', input_audio: { data, format: 'wav' } }]
  expect(await reservedFor(recording)).toBeWithin(600, 602 + FRAME)
  expect(await reservedFor(recording, 'gemini-2.5-pro')).toBeWithin(60 * 32, 60 * 32 + 4 + FRAME)
})

test('a stored conversation is reserved for as long as it was reported', async () => {
  const ann = await client({}, BALANCE)
  const ask = async (fields: Record<string, unknown>) => {
    const before = await ann.balance()
    const answer = await ann.postTo('/v1/responses', {
      model: 'o3',
      input: 'Go on.',
      max_output_tokens: BALANCE,
      ...fields,
    })
    expect(answer.status).toBe(200)
    await answer.text()
    return before - Number(responses.received.at(-1)!.max_output_tokens)
  }
  expect(await ask({ previous_response_id: 'resp_unknown' })).toBeWithin(32_768, 32_768 + FRAME)
  expect(await ask({ stream: true })).toBeWithin(1, FRAME)
  const stored = PROMPT + 100_000
  expect(await ask({ previous_response_id: 'resp_1' })).toBeWithin(stored, stored + FRAME)
  expect(await ask({ conversation: { id: 'conv_1' } })).toBeWithin(32_768, 32_768 + FRAME)
  expect(await ask({ conversation: 'conv_1' })).toBeWithin(stored, stored + FRAME)
})
