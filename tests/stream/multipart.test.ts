// @engine sqlite
/** Multipart forms give the same parts however their bytes are chunked. */
import { describe, expect, test } from 'bun:test'
import { BrokenForm, FormCutter, type PartHead } from '../../src/stream/multipart.ts'

type Part = PartHead & { content: string }

async function partsOf(pieces: Uint8Array[], boundary = 'x--y'): Promise<Part[]> {
  const parts: Part[] = []
  const cutter = new FormCutter(boundary, {
    begin: head => void parts.push({ ...head, content: '' }),
    take: async bytes => {
      parts.at(-1)!.content += Buffer.from(bytes).toString('latin1')
    },
    end: () => {},
  })
  for (const piece of pieces) await cutter.push(piece)
  cutter.end()
  return parts
}

const field = (head: string, content: string) => `--x--y\r\n${head}\r\n\r\n${content}\r\n`
const named = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`
const form = Buffer.from(
  [
    'a preamble that nobody reads\r\n',
    field(named('model'), 'whisper-1'),
    field(`${named('file', '; filename="a \\"b\\".wav"')}\r\nContent-Type: audio/wav`, '\r\n--x--\r\n\r\nx--y\r\n\r'),
    field(named('empty'), ''),
    field('content-disposition: form-data;name=plain', '\u00e9'),
    '--x--y--\r\nan end that nobody reads',
  ].join(''),
  'latin1',
)
const parts: Part[] = [
  { name: 'model', filename: undefined, type: '', content: 'whisper-1' },
  { name: 'file', filename: 'a "b".wav', type: 'audio/wav', content: '\r\n--x--\r\n\r\nx--y\r\n\r' },
  { name: 'empty', filename: undefined, type: '', content: '' },
  { name: 'plain', filename: undefined, type: '', content: '\u00e9' },
]

test('a form gives the same parts whole, byte by byte, and cut in two at every place', async () => {
  expect(await partsOf([form])).toEqual(parts)
  expect(await partsOf(Array.from(form, byte => Uint8Array.of(byte)))).toEqual(parts)
  for (let at = 0; at <= form.length; at++)
    expect(await partsOf([form.subarray(0, at), form.subarray(at)])).toEqual(parts)
})

describe('a broken form', () => {
  const broken: [string, string][] = [
    ['nothing', ''],
    ['no end', field(named('a'), 'b')],
    ['cut in a part', '--x--y\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'],
    ['a part without a name', `${field('Content-Disposition: form-data', 'b')}--x--y--`],
    ['two names', `${field(named('a', '; name="b"'), 'c')}--x--y--`],
    ['two dispositions', `${field(`${named('a')}\r\n${named('b')}`, 'c')}--x--y--`],
    ['a boundary that goes on', '--x--yz\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--y--'],
    ['an endless head', `--x--y\r\n${'a'.repeat(20_000)}`],
  ]

  test('a form with an endless part head is refused', async () => {
    const cutter = new FormCutter('x--y', { begin() {}, take: async () => {}, end() {} })
    await expect(cutter.push(Buffer.from(`--x--y\r\n${'a'.repeat(20_000)}`))).rejects.toBeInstanceOf(BrokenForm)
  })

  test.each(broken)('is refused: %s', async (_, text) => {
    await expect(partsOf([Buffer.from(text)])).rejects.toBeInstanceOf(BrokenForm)
  })
})

/** So long that looking at every pair of characters would take minutes for all heads of a form. */
const LONG = 16_000

test.each([
  ['blanks before a field', `Content-Disposition: form-data; ${' '.repeat(LONG)}; name="a"`],
  ['a name without an end', `Content-Disposition: form-data; ${'a'.repeat(LONG)}; name="a"`],
  ['blanks within a type', `${named('a')}\r\nContent-Type: a${' '.repeat(LONG)}b`],
])('a part head of %s is parsed in linear time', async (_, head) => {
  const times = (count: number) => Buffer.from(`${field(head, '').repeat(count)}--x--y--`)
  const bytes = times(1000)
  await partsOf([bytes]).catch(error => expect(error).toBeInstanceOf(BrokenForm))
})
