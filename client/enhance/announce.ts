/** Says what a list has come to show to those who do not see it change. */
const listSummary = () => document.querySelector('#main .pager > span, #main .empty p')?.textContent ?? ''

let known = listSummary()

document.addEventListener('htmx:finally:request', () => {
  const shown = listSummary()
  if (shown === known) return
  known = shown
  document.getElementById('said')!.textContent = shown
})
