/** Where a person goes on after the page has changed under them. */

/** After a form has come back with errors, at the first of them. */
const firstError = () => document.querySelector<HTMLElement>('#main [aria-invalid=true]')

firstError()?.focus()

const REFUSED = 422

let at: Element = document.body

/** A button that is disabled meanwhile loses the focus; whoever goes on before the answer is where they have gone. */
function note() {
  const { activeElement } = document
  if (activeElement && activeElement !== document.body) at = activeElement
}

document.addEventListener('htmx:before:request', note)
document.addEventListener('htmx:before:swap', note)

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
