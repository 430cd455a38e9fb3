/** What a file of a task may be: its size, its type by the maker's word and by its own bytes. */
import type { FileKind, TaskFile } from '../../contracts/task.ts'
import { dataOf, sourceOf } from '../../formats/media/data-url.ts'
import { imageTypeOf } from '../../formats/media/image-type.ts'

const MEGABYTE = 1_048_576

export const FILE_BYTES_MAX: Record<FileKind, number> = {
  image: 64 * MEGABYTE,
  audio: 2048 * MEGABYTE,
  video: 2048 * MEGABYTE,
}

const usualTypes = { audio: 'audio/mpeg', video: 'video/mp4' } as const
const unnamed = /^(?:application|binary)\/octet-stream\s*(?:;|$)/i
const MARKUP_BYTES = 64

/**
 * @param named by the maker, or nothing
 * @param start of the file; empty where it is not known
 * @returns the media type to show; undefined for a page, an error in JSON, and any other file
 */
export function typeOfFile(kind: FileKind, named: string | null, start: Uint8Array): string | undefined {
  if (kind === 'image')
    return named === null || /^image\//i.test(named) || unnamed.test(named) ? imageTypeOf(start) : undefined
  if (isText(start)) return undefined
  if (named === null || unnamed.test(named)) return usualTypes[kind]
  // A song may come in the file of a video.
  return /^(?:audio|video)\/[\w.+-]+/i.exec(named)?.[0]
}

/** Markup, or JSON. */
const isText = (start: Uint8Array): boolean =>
  /^\s*[<{[]/.test(Buffer.from(start.subarray(0, MARKUP_BYTES)).toString('latin1'))

/** The content of a data URL. @returns undefined for an address */
export function dataIn({ url = '' }: TaskFile): { type: string; bytes: Uint8Array<ArrayBuffer> } | undefined {
  const data = /^data:/i.test(url) ? dataOf(sourceOf(url)) : undefined
  return data && { type: data.media_type, bytes: new Uint8Array(Buffer.from(data.data, 'base64')) }
}
