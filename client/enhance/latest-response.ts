/** Of all that was asked for the last is shown, and what comes late takes nobody away from where they are by then. */
import htmx from 'htmx.org'

interface HtmxContext {
  target: Element | null
  replace?: string | null
  /** Nothing, for what the browser's own buttons ask for. */
  sourceEvent?: Partial<Event>
  request: { method: string; headers: Record<string, string> }
}

interface Detail {
  ctx: HtmxContext
  tasks: { type: string }[]
}

const detailOf = (event: Event) => (event as CustomEvent<Detail>).detail
const isPage = ({ target }: HtmxContext) => target?.id === 'main'
const isView = (ctx: HtmxContext) => isPage(ctx) && ctx.request.method === 'GET'

/** The view that was asked for last, and whether it is still to come. */
let latest: HtmxContext | undefined
let isPending = false
let latestAt = 0
/** Something was changed since. */
let isStale = false

/** A search that waited for more keys is over once something else was asked for. */
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
  // Only the toast is news here.
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

/** What is below a drawer is drawn anew when that closes. */
function refresh() {
  isStale = false
  if (document.querySelector('dialog:modal')) return
  htmx.ajax('GET', location.pathname + location.search, { source: '#main', target: '#main', swap: 'innerMorph' })
}
