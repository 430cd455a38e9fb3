/** Markdown as HTML. The library is loaded with the first text: it is large. */
import { isDeepMarkdown } from '../pure/deep-markdown.ts'

let loaded: Promise<(markdown: string) => string> | undefined

/** HTML with whatever markup the text has: sanitise it. Text that nests too deep is shown as it was written. */
export async function htmlOfMarkdown(markdown: string): Promise<string> {
  if (isDeepMarkdown(markdown)) return `<pre>${Bun.escapeHTML(markdown)}</pre>`
  loaded ??= renderer()
  return (await loaded)(markdown.replace(longWord, '$& '))
}

/** The library reads a word in time quadratic in its length. */
const longWord = /\S{2000}/gu

async function renderer() {
  const { Marked } = await import('marked')
  // The sanitiser drops the checkboxes of task lists: characters stand for them.
  const checkbox = ({ checked }: { checked: boolean }) => (checked ? '☑ ' : '☐ ')
  const marked = new Marked({ gfm: true, breaks: true, renderer: { checkbox } })
  return (markdown: string) => marked.parse(markdown, { async: false })
}

/** What the operator writes for visitors: Markdown with HTML in it, sanitised. */
export async function htmlOfContent(text: string): Promise<string> {
  const [{ sanitise }, html] = await Promise.all([import('./sanitise.ts'), htmlOfMarkdown(text)])
  return sanitise(html)
}
