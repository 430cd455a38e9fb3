/** Swaps in only the response to the latest navigation; a late response to a form shows its toast only. */
import htmx from 'htmx.org'

interface HtmxContext {
  target: Element | null
  replace?: string | null
  /** Absent for requests of Back and Forward. */
  sourceEvent?: Partial<Event>
  request: { method: string; headers: Record<string, string> }
}

interface Detail {
  ctx: HtmxContext
  tasks: { type: string }[]
}

const detailOf = (event: Event) => (event as CustomEvent<Detail>).detail
const isPage = ({ target }: HtmxContext) => target?.id === 'main' || target?.id === 'overlay'
const isView = (ctx: HtmxContext) => isPage(ctx) && ctx.request.method === 'GET'

/** Latest navigation, and whether its response is pending. */
let latest: HtmxContext | undefined
let isPending = false
let latestAt = 0
/** A form has changed data that the page shows. */
let isStale = false

/** Cancels a delayed search whose last key is older than the latest navigation. */
document.addEventListener('htmx:config:request', event => {
  const { ctx } = detailOf(event)
  if (!isView(ctx)) return
  const at = ctx.sourceEvent?.timeStamp ?? performance.now()
  if (at < latestAt) return event.preventDefault()
  latestAt = at
})

document.addEventListener('htmx:before:request', event => {
  const { ctx } = detailOf(event)
  if (!isView(ctx)) return
  latest = ctx
  isPending = true
})

document.addEventListener('htmx:before:swap', event => {
  const { ctx, tasks } = detailOf(event)
  if (isView(ctx) && ctx !== latest) return event.preventDefault()
  if (!isPage(ctx) || isView(ctx)) return
  if (ctx.request.headers['HX-Current-URL'] === location.href && !isPending) return
  // Keeps the toast of the response and drops its page.
  tasks.splice(0, tasks.length, ...tasks.filter(task => task.type !== 'main'))
  ctx.replace = null
  isStale = true
  if (!isPending) refresh()
})

document.addEventListener('htmx:finally:request', event => {
  if (detailOf(event).ctx !== latest) return
  isPending = false
  if (isStale) refresh()
})

/** Reloads the page content; below an open drawer the closing reloads it. */
export function refresh() {
  isStale = false
  if (document.querySelector('dialog:modal')) return
  htmx.ajax('GET', location.pathname + location.search, { source: '#main', target: '#main', swap: 'innerMorph' })
}
