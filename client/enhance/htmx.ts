/** Configures htmx and shows a toast for failed requests. */
import htmx from 'htmx.org'
import { channelIdIn } from '../../src/contracts/suggestion.ts'
import { clientMessage } from '../messages.ts'
import { type FailedRequest, takeBack } from './retry.ts'
import { toast } from './toast.ts'

interface Detail {
  ctx: FailedRequest & {
    swap?: string
    request: { method: string; body: FormData }
    response?: { status: number; headers: Headers }
  }
}

/** Polling retries by itself: no toast. A page that comes to the front polls at once. */
const isPolling = ({ sourceEvent }: Detail['ctx']) => ['every', 'visibilitychange'].includes(sourceEvent?.type ?? '')

/** Polling pauses while the page is hidden, and that of a part which says so while it is out of sight. */
document.addEventListener('htmx:config:request', event => {
  const { ctx } = (event as CustomEvent<Detail>).detail
  if (isPolling(ctx) && (document.hidden || isOutOfSight(ctx.sourceElement))) event.preventDefault()
})

function isOutOfSight(element: Element | null | undefined): boolean {
  if (!element?.hasAttribute('data-while-seen')) return false
  const { top, bottom } = element.getBoundingClientRect()
  return bottom < 0 || top > innerHeight
}

htmx.config.includeIndicatorCSS = false

/** Clicks for a new tab or window bypass htmx. */
document.addEventListener(
  'click',
  event => {
    const { ctrlKey, metaKey, shiftKey, target } = event
    if ((ctrlKey || metaKey || shiftKey) && (target as Element).closest('a[href]')) event.stopPropagation()
  },
  { capture: true },
)

/** Removes empty parameters from the URL. */
document.addEventListener('htmx:config:request', event => {
  const { method, body } = (event as CustomEvent<Detail>).detail.ctx.request
  if (method !== 'GET') return
  for (const [name, value] of [...body]) if (value === '') body.delete(name)
})

/** A picker of channels shows id and name; the address has the id. */
document.addEventListener('htmx:config:request', event => {
  const { ctx } = (event as CustomEvent<Detail>).detail
  for (const { name } of ctx.sourceElement?.querySelectorAll<HTMLInputElement>('[strict] input') ?? []) {
    const id = channelIdIn(ctx.request.body.get(name))
    if (typeof id === 'string' && id) ctx.request.body.set(name, id)
  }
})

document.addEventListener('htmx:error', event => {
  const { ctx } = (event as CustomEvent<Detail>).detail
  if (ctx && !ctx.response && !isPolling(ctx)) toast('error', clientMessage('unreachable'), takeBack(ctx))
})

const messageByStatus: Record<number, string> = {
  405: 'demo_only',
  429: 'too_many',
  500: 'server_error',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
}

/** Swaps only responses of this server; for others, such as a proxy's error page, shows a toast. */
document.addEventListener('htmx:before:swap', event => {
  const { ctx } = (event as CustomEvent<Detail>).detail
  const { response } = ctx
  if (!response || response.headers.get('vary')?.includes('hx-request-type')) return
  event.preventDefault()
  const again = takeBack(ctx)
  if (!isPolling(ctx))
    toast(
      'error',
      clientMessage(messageByStatus[response.status] ?? 'other_error', { message: String(response.status) }),
      again,
    )
})
