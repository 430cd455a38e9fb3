/** Buttons that copy, reveal, fill or print: one delegated listener each. */

import { clientMessage } from '../messages.ts'
import { copy } from './copy.ts'

function onClick(selector: string, act: (button: HTMLElement) => void) {
  document.addEventListener('click', event => {
    const button = (event.target as Element).closest<HTMLElement>(selector)
    if (button) act(button)
  })
}

onClick('[data-copy]', button => copy(button.dataset.copy!))

/** Copies the texts of elements by their ids, so that long ones stand in the page once. */
onClick('[data-copy-of]', button => {
  const texts = button.dataset.copyOf!.split(' ').map(id => document.getElementById(id)!.textContent)
  copy(texts.join('\n\n'))
})

/** Copies the names of the ticked rows. */
onClick('[data-copy-selected]', button => {
  const fields = new FormData((button as HTMLButtonElement).form!)
  copy(fields.getAll('ids[]').join(','))
})

onClick('[data-reveal]', button => {
  const input = document.getElementById(button.dataset.reveal!) as HTMLInputElement
  const shown = input.type === 'password'
  input.type = shown ? 'text' : 'password'
  button.setAttribute('aria-pressed', String(shown))
  button.setAttribute('aria-label', clientMessage(shown ? 'hide_password' : 'show_password'))
})

onClick('[data-fill]', button => fill(inputOf(button), button.dataset.fill!))

/** Decimals of an amount in USD. */
const DECIMALS = 6

onClick('[data-add]', button => {
  const input = inputOf(button)
  fill(input, String(Number((Number(input.value) + Number(button.dataset.add)).toFixed(DECIMALS))))
})

/** The field that presets belong to. */
const inputOf = (button: HTMLElement) =>
  document.getElementById(button.parentElement!.dataset.presets!) as HTMLInputElement

function fill(input: HTMLInputElement, value: string) {
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Presses the preset with the value of the field. */
document.addEventListener('input', ({ target }) => {
  const { id, value } = target as HTMLInputElement
  for (const button of document.querySelectorAll(`[data-presets="${CSS.escape(id)}"] [data-fill]`)) {
    button.setAttribute('aria-pressed', String((button as HTMLElement).dataset.fill === value))
  }
})

onClick('[data-print]', button => {
  const receipt = button.closest('.receipt')
  receipt?.classList.add('printing')
  addEventListener('afterprint', () => receipt?.classList.remove('printing'), { once: true })
  print()
})

/** Enter in a number of a list fires `change`, which saves; it does not submit the form again. */
document.addEventListener('keydown', event => {
  const number = event.target as HTMLElement
  if (event.key !== 'Enter' || !number.matches('.inline-number')) return
  event.preventDefault()
  number.blur()
  number.focus()
})

/** Closes a popover when its form is submitted. */
document.addEventListener('submit', ({ target }) => {
  const open = (target as Element).closest<HTMLElement>(':popover-open')
  open?.hidePopover()
})
