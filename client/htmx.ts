/** htmx, and what a person is told when a request of its fails. */
import htmx from 'htmx.org'
import { toast } from './toast.ts'
import { word } from './words.ts'

interface Detail {
  ctx: { request: { method: string; body: FormData }; response?: { status: number; headers: Headers } }
}

htmx.config.includeIndicatorCSS = false

/** Filters that are not set do not stand in the address. */
document.addEventListener('htmx:config:request', event => {
  const { method, body } = (event as CustomEvent<Detail>).detail.ctx.request
  if (method !== 'GET') return
  for (const [name, value] of [...body]) if (value === '') body.delete(name)
})

document.addEventListener('htmx:error', event => {
  const { ctx } = (event as CustomEvent<Detail>).detail
  if (ctx && !ctx.response) toast('error', word('unreachable'))
})

const sayings: Record<number, string> = { 405: 'demo_only', 429: 'too_many', 500: 'server_error' }

/** A page that failed says so itself; anything that is not a page is only told. */
document.addEventListener('htmx:before:swap', event => {
  const { response } = (event as CustomEvent<Detail>).detail.ctx
  if (!response || response.headers.get('content-type')?.startsWith('text/html')) return
  event.preventDefault()
  if (response.status >= 400)
    toast('error', word(sayings[response.status] ?? 'other_error', { message: String(response.status) }))
})
