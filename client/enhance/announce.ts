/** Says what a list has come to show to those who do not see it change. */
const outcome = () => document.querySelector('#main .pager > span, #main .empty p')?.textContent ?? ''

let known = outcome()

document.addEventListener('htmx:finally:request', () => {
  const shown = outcome()
  if (shown === known) return
  known = shown
  document.getElementById('said')!.textContent = shown
})
