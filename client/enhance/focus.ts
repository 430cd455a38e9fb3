/** Where a person goes on after the page has changed under them. */

/** After a form has come back with errors, at the first of them. */
const firstError = () => document.querySelector<HTMLElement>('#main [aria-invalid=true]')

firstError()?.focus()

const REFUSED = 422

let at: Element | null = null

document.addEventListener('htmx:before:request', () => {
  at = document.activeElement
})

/** Whoever has gone on before the answer is where they have gone; a button that was disabled meanwhile has only lost the focus. */
document.addEventListener('htmx:before:swap', () => {
  if (document.activeElement !== document.body) at = document.activeElement
})

document.addEventListener('htmx:finally:request', event => {
  const { response } = (event as CustomEvent<{ ctx: { response?: { status: number } } }>).detail.ctx
  const before = at
  // Islands and buttons that were disabled meanwhile are ready by then.
  setTimeout(() => {
    if (response?.status === REFUSED) firstError()?.focus()
    else if (before instanceof HTMLElement && isOnTop(before)) before.focus()
  })
})

/** Whether it is there, and no drawer has come over it. */
const isOnTop = (element: Element) =>
  element.isConnected && element.closest('dialog') === ([...document.querySelectorAll('dialog:modal')].at(-1) ?? null)
