/** Small buttons that need no element of their own: copy, reveal, fill, print. One listener each, for what is here and what comes. */

import { clientMessage } from '../messages.ts'
import { toast } from './toast.ts'

function onClick(selector: string, act: (button: HTMLElement) => void) {
  document.addEventListener('click', event => {
    const button = (event.target as Element).closest<HTMLElement>(selector)
    if (button) act(button)
  })
}

onClick('[data-copy]', button => copy(button.dataset.copy!))

export async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast('success', clientMessage('copied'))
  } catch {
    toast('error', clientMessage('copy_by_hand'))
    prompt(clientMessage('copy_by_hand'), text)
  }
}

onClick('[data-reveal]', button => {
  const input = document.getElementById(button.dataset.reveal!) as HTMLInputElement
  const shown = input.type === 'password'
  input.type = shown ? 'text' : 'password'
  button.setAttribute('aria-pressed', String(shown))
  button.setAttribute('aria-label', clientMessage(shown ? 'hide_password' : 'show_password'))
})

onClick('[data-fill]', button => {
  const input = document.getElementById(button.parentElement!.dataset.presets!) as HTMLInputElement
  input.value = button.dataset.fill!
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
})

/** The preset that the field holds is the pressed one. */
document.addEventListener('input', ({ target }) => {
  const { id, value } = target as HTMLInputElement
  for (const button of document.querySelectorAll(`[data-presets="${CSS.escape(id)}"] [data-fill]`)) {
    button.setAttribute('aria-pressed', String((button as HTMLElement).dataset.fill === value))
  }
})

onClick('[data-print]', button => {
  const receipt = button.closest('.receipt')!
  receipt.classList.add('printing')
  addEventListener('afterprint', () => receipt.classList.remove('printing'), { once: true })
  print()
})

/** A number in a list is saved when it has changed; Enter says that it has, and is no second saving. */
document.addEventListener('keydown', event => {
  const number = event.target as HTMLElement
  if (event.key !== 'Enter' || !number.matches('.inline-number')) return
  event.preventDefault()
  number.blur()
  number.focus()
})

/** A sheet or a menu has done its work when its form is sent. */
document.addEventListener('submit', ({ target }) => {
  const open = (target as Element).closest<HTMLElement>(':popover-open')
  open?.hidePopover()
})
