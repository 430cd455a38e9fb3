/** Checks the grammar of every stream that the gateway translates while tests run, whatever they are about. */
import { afterAll, expect } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { TranslatingStream } from '../../../src/formats/translate/translating-stream.ts'
import { violations } from './index.ts'

const written = new WeakMap<TranslatingStream, string>()
const broken = new Set<string>()

const { takeRewritten, end, fail } = TranslatingStream.prototype

function add(stream: TranslatingStream, text: string): string {
  written.set(stream, (written.get(stream) ?? '') + text)
  return text
}

function check(stream: TranslatingStream, text: string): string {
  const { name } = stream.pair.client
  const sse = add(stream, text)
  for (const rule of violations(name as ClientFormatName, written.get(stream)!)) broken.add(`${name}, ${rule}`)
  return sse
}

TranslatingStream.prototype.takeRewritten = function () {
  return add(this, takeRewritten.call(this))
}
TranslatingStream.prototype.end = function (metered) {
  return check(this, end.call(this, metered))
}
TranslatingStream.prototype.fail = function (error) {
  return check(this, fail.call(this, error))
}

afterAll(() => expect([...broken]).toEqual([]))
