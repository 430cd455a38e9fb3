/** The operator's HTML in the head of every page. */
import type { Visit } from '../contracts/visit.ts'

/** Appends it to `<head>`. Its scripts and styles get the page's nonce, without which the policy blocks them. */
export function withCustomHead(page: string, { custom, nonce }: Visit) {
  if (!custom.head_html) return page
  const html = new HTMLRewriter()
    .on('script, style, link', { element: tag => void tag.setAttribute('nonce', nonce) })
    .transform(custom.head_html)
  return new HTMLRewriter().on('head', { element: head => void head.append(html, { html: true }) }).transform(page)
}
