/** Announces the new content of a list to screen readers. */
const listSummary = () => document.querySelector('#main .pager > span, #main .empty p')?.textContent ?? ''

let announced = listSummary()

document.addEventListener('htmx:finally:request', () => {
  const shown = listSummary()
  if (shown === announced) return
  announced = shown
  document.getElementById('announcement')!.textContent = shown
})
