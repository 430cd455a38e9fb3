/** Markdown as HTML. The library is loaded with the first text: it is large. */

let loaded: Promise<(markdown: string) => string> | undefined

/** HTML with whatever markup the text has: sanitise it. */
export async function htmlOfMarkdown(markdown: string): Promise<string> {
  loaded ??= renderer()
  return (await loaded)(markdown)
}

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
