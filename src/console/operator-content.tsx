/** What the operator writes for everyone: home and about page, announcement, footer. */
import { OperatorFrame, OperatorText } from '../../views/branding/operator-content.tsx'
import { frameOrigin } from '../contracts/address.ts'
import type { Visit } from '../contracts/visit.ts'
import { digest } from '../crypto/sealing.ts'
import { option } from '../domain/options/index.ts'
import { store } from '../process/stores.ts'
import { htmlOfContent } from '../web/markdown.ts'
import { framePolicy } from '../web/page-headers.ts'
import { cookieOf } from '../web/request.ts'

/** Sanitised HTML by source. */
const written = store('operator-html', new Map<string, Promise<string>>())
/** One of each kind, and some that were just replaced. */
const WRITTEN_MAX = 12

/** @param kind `html` is sanitised as it is; Markdown is rendered first */
export function operatorHtml(text: string, kind: 'markdown' | 'html'): Promise<string> {
  const name = `${kind} ${text}`
  if (!written.has(name) && written.size >= WRITTEN_MAX) written.clear()
  const html = written.get(name) ?? toHtml(text, kind)
  written.set(name, html)
  return html
}

/** Both libraries are large, and few sites have such texts. */
async function toHtml(text: string, kind: 'markdown' | 'html'): Promise<string> {
  if (!text.trim()) return ''
  if (kind === 'markdown') return htmlOfContent(text)
  const { sanitise } = await import('../web/sanitise.ts')
  return sanitise(text)
}

/** The page that the operator wrote under an option. @returns undefined when there is none: the built-in page is shown */
export async function operatorPage(key: 'HomePageContent' | 'About', title: string, visit: Visit) {
  const text = option(key).trim()
  const origin = frameOrigin(text)
  if (origin)
    return { content: <OperatorFrame url={text} title={title} visit={visit} />, headers: framePolicy(visit, origin) }
  const html = await operatorHtml(text, 'markdown')
  return html ? { content: <OperatorText html={html} title={title} />, headers: {} } : undefined
}

const DIGEST_LENGTH = 16

/** The announcement, unless the visitor has closed this very text. */
export async function announcementFor(request: Request) {
  const text = option('Notice')
  const id = digest(text).slice(0, DIGEST_LENGTH)
  if (!text || cookieOf(request, 'notice-read') === id) return undefined
  const html = await operatorHtml(text, 'markdown')
  return html ? { id, html } : undefined
}
