/** What the operator of the site adds to the head of every page. */
import type { Visit } from '../contracts/visit.ts'

/** Its scripts and styles get the nonce of this page, or its own policy would stop them. */
export function withCustomHead(page: ReadableStream<Uint8Array>, { custom, nonce }: Visit) {
  if (!custom.head_html) return page
  const html = new HTMLRewriter()
    .on('script, style, link', { element: one => void one.setAttribute('nonce', nonce) })
    .transform(custom.head_html)
  return new HTMLRewriter()
    .on('head', { element: head => void head.append(html, { html: true }) })
    .transform(new Response(page)).body
}
