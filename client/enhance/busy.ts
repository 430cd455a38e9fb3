/** Shows what loads: the pressed button is busy, and a bar moves over everything, dialogs too. */
import type { FailedRequest } from './retry.ts'

interface Detail {
  ctx: FailedRequest & { disabledElements?: HTMLButtonElement[] }
}

const ctxOf = (event: Event) => (event as CustomEvent<Detail>).detail.ctx

/** Requests of the reader; polling is silent. */
const isSilent = ({ sourceEvent }: FailedRequest) => ['every', 'visibilitychange'].includes(sourceEvent?.type ?? '')

const underWay = new Set<FailedRequest>()

document.addEventListener('htmx:before:request', event => {
  const ctx = ctxOf(event)
  if (isSilent(ctx)) return
  underWay.add(ctx)
  buttonOf(ctx)?.setAttribute('aria-busy', 'true')
  show()
})

document.addEventListener('htmx:finally:request', event => {
  const ctx = ctxOf(event)
  underWay.delete(ctx)
  buttonOf(ctx)?.removeAttribute('aria-busy')
  show()
})

function buttonOf({ sourceElement, sourceEvent }: FailedRequest): Element | null | undefined {
  if (sourceEvent?.submitter) return sourceEvent.submitter
  if (sourceElement?.matches('form')) return sourceElement.querySelector('[type=submit]')
  return sourceElement?.closest('.btn, .icon-button')
}

/** A popover that was opened last is on top. */
function show() {
  const bar = document.getElementById('progress')
  if (!bar) return
  if (bar.matches(':popover-open')) bar.hidePopover()
  if (underWay.size) bar.showPopover()
}

/**
 * A response says which buttons are disabled. htmx enables all that it has disabled itself after the response, so the
 * swap finds them enabled, and those that are disabled after it are disabled once more.
 */
document.addEventListener('htmx:before:swap', event => {
  for (const button of ctxOf(event).disabledElements ?? []) button.disabled = false
})

document.addEventListener('htmx:after:swap', event => {
  const ctx = ctxOf(event)
  const disabled = ctx.disabledElements?.filter(button => button.disabled)
  if (!disabled?.length) return
  document.addEventListener('htmx:finally:request', function keep(ending) {
    if (ctxOf(ending) !== ctx) return
    document.removeEventListener('htmx:finally:request', keep)
    queueMicrotask(() => {
      for (const button of disabled) button.disabled = true
    })
  })
})

/** Forms that load another document. */
document.addEventListener('submit', event => {
  const { submitter } = event
  setTimeout(() => !event.defaultPrevented && submitter?.setAttribute('aria-busy', 'true'))
})

/** Back from the browser's cache. */
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy')
})
