/** Where a person goes on after the page has changed under them. */

/** After a form has come back with errors, at the first of them. */
const firstError = () => document.querySelector<HTMLElement>('#main [aria-invalid=true]')

firstError()?.focus()

let at: Element | null = null

document.addEventListener('htmx:before:request', () => {
  at = document.activeElement
})

document.addEventListener('htmx:finally:request', () => {
  const before = at
  // Islands and buttons that were disabled meanwhile are ready by then.
  setTimeout(() => {
    const wrong = firstError()
    if (wrong) return wrong.focus()
    const isLost = document.activeElement === document.body
    if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
  })
})
