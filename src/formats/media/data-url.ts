import type { Source } from '../canonical/chat.ts'

const dataUrl = /^data:([^,]*),/i
const blanks = /\s+/g

/** What a URL points at; what a `data:` URL carries. */
export function sourceOf(url: string): Source {
  const found = dataUrl.exec(url)
  if (!found) return { via: 'url', url }
  const [media_type = '', ...parameters] = found[1]!.split(';').map(part => part.trim().toLowerCase())
  const rest = url.slice(found[0].length)
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

/** As one URL; undefined for what only its owner can open. */
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

/** As base64; undefined for what is elsewhere. */
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
