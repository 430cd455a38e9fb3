/** Random request bodies that are made to be slow: most are small, a few are as large as a body may be. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'

export interface HostileBody {
  title: string
  /** Made when it is sent: many large ones do not fit into memory. */
  make(): { path: string; headers: Record<string, string>; bytes: BodyInit }
}

const MEGABYTE = 1_048_576
const packers = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { 1: 1 } }),
  zstd: zstdCompressSync,
}

const small = fc.integer({ min: 1, max: 65_536 })
/** Bytes: one in fifty is larger than 1 MB. */
const anySize = fc.oneof(
  { weight: 90, arbitrary: small },
  { weight: 8, arbitrary: fc.integer({ min: 65_536, max: MEGABYTE }) },
  { weight: 2, arbitrary: fc.integer({ min: MEGABYTE, max: 62 * MEGABYTE }) },
)

const repeated = (unit: string, bytes: number) => unit.repeat(Math.max(1, Math.floor(bytes / unit.length)))
const listOf = (item: string, bytes: number) => `[${repeated(`${item},`, bytes)}${item}]`
const nested = (open: string, close: string, bytes: number) => {
  const depth = Math.max(1, Math.floor(bytes / (open.length + close.length)))
  return open.repeat(depth) + close.repeat(depth)
}
/** An object of as many fields as fit; a name has about ten bytes. */
const keys = (name: (at: number) => string, bytes: number) =>
  `{${Array.from({ length: Math.min(500_000, Math.ceil(bytes / 16)) }, (_, at) => `"${name(at)}":1`)}}`

/** Values of a field, by what is slow about them. */
const values: Record<string, (bytes: number, unit: string) => string> = {
  numbers: bytes => listOf('1', bytes),
  exponents: bytes => listOf('1.5e-7', bytes),
  'long numbers': bytes => listOf('12345678901234567890', bytes),
  'huge exponents': bytes => listOf('1e22', bytes),
  'one number': bytes => repeated('7', bytes),
  keys: bytes => keys(at => `k${at}`, bytes),
  'numbered keys': bytes => keys(at => String((at * 7919) % 4_000_000), bytes),
  objects: bytes => `[${Array.from({ length: Math.min(300_000, Math.ceil(bytes / 16)) }, (_, at) => `{"k${at}":1}`)}]`,
  lists: bytes => nested('[', ']', bytes),
  'objects in objects': bytes => nested('{"a":', '}', bytes),
  blanks: bytes => `${repeated(' ', bytes)}1`,
  text: (bytes, unit) => JSON.stringify(repeated(unit, bytes)),
  escapes: bytes => `"${repeated('\\n\\u00e9\\ud83d\\ude00\\\\', bytes)}"`,
  texts: (bytes, unit) => listOf(JSON.stringify(unit.repeat(20)), bytes),
  'JSON in a text': bytes => JSON.stringify(nested('[', ']', bytes)),
  'cut short': bytes => `"${repeated('a', bytes)}\\u12`,
}

const inFields: Record<string, (value: string) => string> = {
  'an unknown field': value => `"x":${value},"messages":[{"role":"user","content":"hi"}]`,
  messages: value => `"messages":${value}`,
  content: value => `"messages":[{"role":"user","content":${value}}]`,
  picture: value => `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":${value}}}]}]`,
  arguments: value =>
    `"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${value}}}]}]`,
  'a schema': value =>
    `"tools":[{"type":"function","function":{"name":"f","parameters":${value}}}],"messages":[{"role":"user","content":"hi"}]`,
}

const paths = ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/embeddings', '/v1/messages/count_tokens']

const jsonBody = (size: fc.Arbitrary<number>): fc.Arbitrary<HostileBody> =>
  fc
    .record({
      bytes: size,
      kind: fc.constantFrom(...Object.keys(values)),
      field: fc.constantFrom(...Object.keys(inFields)),
      unit: fc.constantFrom('a', '1', 'word ', '中', '😀', '[', '"', '\n', '\u0001'),
      path: fc.constantFrom(...paths),
      packing: fc.option(fc.constantFrom(...(Object.keys(packers) as (keyof typeof packers)[])), { freq: 3 }),
    })
    .map(({ bytes, kind, field, unit, path, packing }) => ({
      title: `${kind} in ${field}, ${bytes} bytes, ${packing ?? 'plain'}, ${path}`,
      make() {
        const value = values[kind]!(bytes, unit)
        const plain = Buffer.from(`{"model":"gpt-4o","max_tokens":9,"input":"hi",${inFields[field]!(value)}}`)
        if (!packing) return { path, headers: {} as Record<string, string>, bytes: plain }
        return { path, headers: { 'content-encoding': packing }, bytes: new Uint8Array(packers[packing](plain)) }
      },
    }))

const formBody = (size: fc.Arbitrary<number>): fc.Arbitrary<HostileBody> =>
  fc
    .record({ bytes: size, parts: fc.integer({ min: 1, max: 400 }), is_file: fc.boolean() })
    .map(({ bytes, parts, is_file }) => ({
      title: `a form of ${parts} parts, ${bytes} bytes, files: ${is_file}`,
      make() {
        const form = new FormData()
        form.set('model', 'gpt-4o')
        const content = 'x'.repeat(Math.ceil(bytes / parts))
        for (let part = 0; part < parts; part++)
          form.append(`f${part}`, is_file ? new File([content], 'a.png') : content)
        return { path: '/v1/images/edits', headers: {}, bytes: form }
      },
    }))

const ofSize = (size: fc.Arbitrary<number>) =>
  fc.oneof({ weight: 9, arbitrary: jsonBody(size) }, { weight: 1, arbitrary: formBody(size) })

export const hostileBody = ofSize(anySize)
export const smallHostileBody = ofSize(small)
