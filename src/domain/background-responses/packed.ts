/** JSON in a text column: the events of a response repeat each other, and shrink to a tenth. */

export const pack = (value: unknown): string =>
  Buffer.from(Bun.deflateSync(Buffer.from(JSON.stringify(value)))).toString('base64')

export const unpack = (text: string): unknown =>
  JSON.parse(Buffer.from(Bun.inflateSync(Buffer.from(text, 'base64'))).toString())
