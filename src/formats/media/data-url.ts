/** Sources of media as URLs and as base64. */
import type { Source } from '../canonical/chat.ts'

const dataUrl = /^data:([^,]*),/i
const blanks = /\s+/g

/** @returns the content of a `data:` URL, else the URL */
export function sourceOf(url: string): Source {
  const match = dataUrl.exec(url)
  if (!match) return { via: 'url', url }
  const [media_type = '', ...parameters] = match[1]!.split(';').map(part => part.trim().toLowerCase())
  const rest = url.slice(match[0].length)
  if (parameters.includes('base64'))
    return { via: 'base64', media_type: media_type || 'application/octet-stream', data: rest.replace(blanks, '') }
  const text = decoded(rest)
  return { via: 'base64', media_type: media_type || 'text/plain', data: Buffer.from(text, 'utf8').toString('base64') }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @returns a URL; undefined for a file id, which only its owner can open */
export function urlOf(source: Source): string | undefined {
  switch (source.via) {
    case 'url':
      return source.url
    case 'base64':
      return `data:${source.media_type};base64,${source.data}`
    case 'text':
      return `data:text/plain;base64,${Buffer.from(source.text, 'utf8').toString('base64')}`
    case 'id':
      return undefined
  }
}

/** @returns base64; undefined for a URL or a file id */
export function dataOf(source: Source): { media_type: string; data: string } | undefined {
  switch (source.via) {
    case 'base64':
      return { media_type: source.media_type, data: source.data }
    case 'text':
      return { media_type: 'text/plain', data: Buffer.from(source.text, 'utf8').toString('base64') }
    default:
      return undefined
  }
}
