/** Announces the new content of a list to screen readers. */
const listSummary = () => document.querySelector('#main .pager > span, #main .empty p')?.textContent ?? ''

let known = listSummary()

document.addEventListener('htmx:finally:request', () => {
  const shown = listSummary()
  if (shown === known) return
  known = shown
  document.getElementById('said')!.textContent = shown
})
