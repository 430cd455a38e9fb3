/** A multipart form: fields are read, files are spooled, and the form is written anew for each attempt. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../contracts/refusal.ts'
import { env } from '../../env.ts'
import { secondsOf } from '../../formats/media/audio-duration.ts'
import { stopwatch } from '../../process/clock.ts'
import { nextTurn } from '../../process/next-turn.ts'
import type { EncodedBody } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import { BrokenForm, FormCutter, type PartHead } from '../../stream/multipart.ts'
import { IN_MEMORY_MAX as SPOOL_MEMORY_BYTES, Spool } from '../../stream/spool.ts'
import { arriving } from '../../web/arriving-body.ts'
import type { BodyShare } from '../../web/body-budget.ts'
import { announcedBytes, tooLarge } from '../../web/read-body.ts'
import { ClientDisconnected } from '../errors/fault.ts'

const PARTS_MAX = 256
const MEGABYTE = 1_048_576
/** Characters of a field that is read in a step of its own. */
const LONG_FIELD = 65_536

type Part = PartHead & { text: string; from: number; to: number }

export class MultipartForm implements AsyncDisposable {
  readonly #spool = new Spool()
  readonly #parts: Part[] = []

  constructor(private readonly share: BodyShare) {}

  /** @throws Refusal 400, 413, 415, or 503 when the body budget is spent */
  static async read(request: Request, share: BodyShare): Promise<MultipartForm> {
    const form = new MultipartForm(share)
    try {
      await form.#take(request)
      return form
    } catch (error) {
      await form[Symbol.asyncDispose]()
      if (request.signal.aborted) throw new ClientDisconnected()
      throw error instanceof BrokenForm ? new Refusal('relay.form_broken', {}, 400) : error
    }
  }

  async #take(request: Request) {
    const encoding = request.headers.get('content-encoding') ?? 'identity'
    if (encoding !== 'identity') throw new Refusal('relay.encoding_unknown', { encoding: encoding.slice(0, 40) }, 415)
    const announced = announcedBytes(request)
    const cutter = new FormCutter(boundaryOf(request), {
      begin: head => this.#begin(head),
      take: bytes => this.#add(bytes),
      end: () => {},
    })
    let size = 0
    for await (const bytes of arriving(request, announced)) {
      size += bytes.byteLength
      if (size > env.MAX_REQUEST_MB * MEGABYTE) throw tooLarge()
      await cutter.push(bytes)
    }
    cutter.end()
  }

  #begin(head: PartHead) {
    if (this.#parts.length === PARTS_MAX) throw tooLong()
    this.#parts.push({ ...head, text: '', from: this.#spool.size, to: this.#spool.size })
  }

  async #add(bytes: Uint8Array) {
    const part = this.#parts.at(-1)!
    if (part.filename === undefined) {
      this.share.grow(bytes.byteLength)
      part.text += Buffer.from(bytes).toString('latin1')
      if (part.text.length > MEGABYTE) throw tooLong()
      return
    }
    // Beyond these, the spool is a file.
    this.share.grow(Math.max(0, Math.min(bytes.byteLength, SPOOL_MEMORY_BYTES - this.#spool.size)))
    await this.#spool.add(bytes)
    part.to = this.#spool.size
  }

  /** The fields as a JSON body; a repeated field is a list. */
  async fields({ with_seconds }: { with_seconds: boolean }): Promise<Json> {
    const fields: Json = Object.create(null)
    for (const part of this.#parts) {
      if (part.text.length > LONG_FIELD) await nextTurn()
      const value = part.filename === undefined ? fieldOf(part) : await this.#fileOf(part, with_seconds)
      fields[part.name] = Object.hasOwn(fields, part.name) ? [fields[part.name], value].flat() : value
    }
    return fields
  }

  async #fileOf(part: Part, with_seconds: boolean): Promise<Json> {
    const { filename = '', type, from, to } = part
    const file = { filename, type, size: to - from }
    if (!with_seconds) return file
    return {
      ...file,
      seconds: await secondsOf({ ...file, content: () => streamOf(this.#spool.read(from, to)), elapsed: stopwatch() }),
    }
  }

  /** The fields with each file as a data URL. */
  async inlined(fields: Json): Promise<Json> {
    const inlined = { ...fields }
    for (const name of new Set(this.#parts.filter(isFile).map(part => part.name))) {
      const urls = await Promise.all(this.#parts.filter(part => isFile(part) && part.name === name).map(this.#urlOf))
      inlined[name] = urls.length > 1 ? urls : urls[0]
    }
    return inlined
  }

  readonly #urlOf = async ({ type, from, to }: Part): Promise<string> => {
    this.share.grow(to - from)
    const bytes = Buffer.concat(await Array.fromAsync(this.#spool.read(from, to)))
    return `data:${type || 'application/octet-stream'};base64,${bytes.toString('base64')}`
  }

  /** Encodes these fields and the spooled files, and nothing else: what is sent is what was priced. */
  readonly encode = (fields: Json): EncodedBody => {
    const boundary = `tollgate-${randomUUID()}`
    const pieces: (Buffer | Part)[] = []
    const write = (head: string, content: Buffer | Part) =>
      pieces.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, Buffer.from('\r\n'))
    for (const [name, value] of Object.entries(fields)) {
      for (const item of [value].flat()) {
        if (item !== undefined && typeof item !== 'object') write(headOf({ name }), Buffer.from(String(item)))
      }
    }
    for (const part of this.#parts.filter(isFile)) write(headOf(part), part)
    pieces.push(Buffer.from(`--${boundary}--\r\n`))
    const length = pieces.reduce(
      (sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.to - piece.from),
      0,
    )
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(length) }
    return { headers, body: streamOf(this.#write(pieces)) }
  }

  async *#write(pieces: (Buffer | Part)[]): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) yield piece
      else yield* this.#spool.read(piece.from, piece.to)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#spool.close()
  }
}

const isFile = ({ filename }: Part) => filename !== undefined

const tooLong = () => new Refusal('relay.form_too_long', { limit: PARTS_MAX, megabytes: 1 }, 400)

/** @throws BrokenForm */
function boundaryOf(request: Request): string {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(request.headers.get('content-type') ?? '') ?? []
  const boundary = quoted ?? plain
  if (!boundary) throw new BrokenForm()
  return boundary
}

/** Fields that are no texts in JSON. */
const parsers = new Map<string, (text: string) => unknown>([
  ['n', text => (/^\d{1,9}$/.test(text) ? Number(text) : text)],
  ['stream', text => text === 'true' || (text === 'false' ? false : text)],
])

function fieldOf({ name, text }: Part): unknown {
  const value = Buffer.from(text, 'latin1').toString('utf8')
  return (parsers.get(name) ?? String)(value)
}

const escaped = (text: string) =>
  text.replace(/["\r\n]/g, found => `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

function headOf({ name, filename, type }: { name: string; filename?: string; type?: string }): string {
  const head = `Content-Disposition: form-data; name="${escaped(name)}"`
  if (filename === undefined) return head
  return `${head}; filename="${escaped(filename)}"\r\nContent-Type: ${type || 'application/octet-stream'}`
}

/** Reads ahead nothing. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
