/**
 * Writes pictures, recordings and documents as entries of `files`.
 * https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message (read 2026-11)
 */
import type { Part, Source } from '../canonical/chat.ts'
import { dataOf } from '../media/data-url.ts'
import { endingOf, fileNameFor } from '../media/file-names.ts'
import type { DifyFile } from './wire.ts'

/** Endings of the files that Dify reads as documents. */
const documents = new Set([
  ...['txt', 'md', 'markdown', 'mdx', 'pdf', 'html', 'xlsx', 'xls', 'vtt', 'properties', 'doc', 'docx', 'csv', 'eml'],
  ...['msg', 'pptx', 'ppt', 'xml', 'epub'],
])

/** A file without an address has its `content` here, to be uploaded before the call. */
export function writeFiles(part: Part): DifyFile[] {
  if (part.kind !== 'image' && part.kind !== 'audio' && part.kind !== 'file') return []
  const { source } = part
  if (source.via === 'url') return [{ type: kindOf(part), transfer_method: 'remote_url', url: source.url }]
  const inline = dataOf(source)
  if (!inline) return []
  const { media_type, data } = inline
  const name = fileNameFor(part.kind === 'file' ? part.name : undefined, media_type)
  return [{ type: kindOf(part), transfer_method: 'local_file', content: { name, media_type, data } }]
}

function kindOf(part: Part & { source: Source }): string {
  if (part.kind !== 'file') return part.kind
  const { source, name } = part
  const type = 'media_type' in source ? (source.media_type ?? '') : source.via === 'text' ? 'text/plain' : ''
  const family = type.split('/')[0]!
  if (['image', 'audio', 'video'].includes(family)) return family
  const path = source.via === 'url' ? (URL.parse(source.url)?.pathname ?? '') : ''
  const named = name ?? (type ? '' : path)
  const ending = /\.(\w{1,10})$/.exec(named)?.[1]?.toLowerCase() ?? (type ? endingOf(type) : 'pdf')
  return documents.has(ending) ? 'document' : 'custom'
}
