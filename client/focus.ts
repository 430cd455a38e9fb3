/** After a form has come back with errors, one is at the first of them. */
function toFirstError() {
  document.querySelector<HTMLElement>('#main [aria-invalid=true]')?.focus()
}

toFirstError()
document.addEventListener('htmx:after:swap', toFirstError)
