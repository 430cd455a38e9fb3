/** A form with one large file, which is handed on as it arrives; its fields come before it. */
import { Refusal } from '../contracts/refusal.ts'
import { BrokenForm, FormCutter } from '../stream/multipart.ts'
import { arriving } from './arriving-body.ts'
import { announcedBytes, tooLarge } from './read-body.ts'

const MEGABYTE = 1_048_576
const FIELD_BYTES_MAX = 4096
const FIELDS_MAX = 20

export interface FileForm {
  /** Megabytes of the whole form. */
  max_mb: number
  /** Called once, at the first bytes of the file. @returns where they go */
  open(filename: string, fields: Record<string, string>): Promise<(bytes: Uint8Array) => Promise<void>>
}

const broken = () => new Refusal('error.invalid_text', {}, 400)

/** @returns the fields. @throws Refusal 400, 408, 413, and what `open` throws */
export async function readFileForm(request: Request, { max_mb, open }: FileForm): Promise<Record<string, string>> {
  const [, quoted, plain] =
    /^multipart\/form-data;.*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(request.headers.get('content-type') ?? '') ?? []
  const boundary = quoted ?? plain
  if (!boundary) throw broken()
  const fields: Record<string, string> = Object.create(null)
  let part: { name: string; filename: string | undefined } = { name: '', filename: undefined }
  let take: ((bytes: Uint8Array) => Promise<void>) | undefined
  const cutter = new FormCutter(boundary, {
    begin: head => {
      if (Object.keys(fields).length === FIELDS_MAX || (head.filename !== undefined && take)) throw broken()
      part = head
      if (head.filename === undefined) fields[head.name] = ''
    },
    take: async bytes => {
      if (part.filename !== undefined) {
        take ??= await open(part.filename, fields)
        return take(bytes)
      }
      fields[part.name] += Buffer.from(bytes).toString('utf8')
      if (fields[part.name]!.length > FIELD_BYTES_MAX) throw broken()
    },
    end: () => {},
  })
  const announced = announcedBytes(request, max_mb)
  let size = 0
  try {
    for await (const bytes of arriving(request, announced)) {
      size += bytes.byteLength
      if (size > max_mb * MEGABYTE) throw tooLarge(max_mb)
      await cutter.push(bytes)
    }
    cutter.end()
  } catch (error) {
    throw error instanceof BrokenForm ? broken() : error
  }
  return fields
}
