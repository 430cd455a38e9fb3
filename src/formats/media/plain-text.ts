/** Files that are texts. */
import type { FilePart } from '../canonical/chat.ts'

/** @returns undefined for a file that is no text */
export function plainText(source: FilePart['source']): string | undefined {
  if (source.via === 'text') return source.text
  const isText = source.via === 'base64' && /^text\/|\/(?:json|xml)$/.test(source.media_type)
  return isText ? Buffer.from(source.data, 'base64').toString('utf8') : undefined
}
