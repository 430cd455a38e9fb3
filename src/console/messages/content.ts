/** Messages as HTML and as a line of text. */
import type { MessageFormat } from '../../contracts/message.ts'

interface Content {
  content: string
  format: MessageFormat
}

/** Loaded with the first message: both libraries are large. */
const renderers = async () => ({
  ...(await import('../../web/markdown.ts')),
  ...(await import('../../web/sanitise.ts')),
})

export async function htmlOf({ content, format }: Content): Promise<string> {
  const { markdownToHtml, sanitiseMessage } = await renderers()
  return sanitiseMessage(format === 'markdown' ? markdownToHtml(content) : content)
}

/** Characters of a preview, its ellipsis included. */
const PREVIEW_MAX = 100
const ELLIPSIS = '...'
/** Characters of the content that a preview is made from. */
const PREVIEW_SOURCE_MAX = 2000

/** The beginning of a message as plain text, at most 100 characters. */
export async function previewOf({ content, format }: Content): Promise<string> {
  const { textOf } = await renderers()
  const text = [...textOf(await htmlOf({ content: content.slice(0, PREVIEW_SOURCE_MAX), format }))]
  return text.length > PREVIEW_MAX ? text.slice(0, PREVIEW_MAX - ELLIPSIS.length).join('') + ELLIPSIS : text.join('')
}
