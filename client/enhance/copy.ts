/** Copies a text; where the browser refuses, a dialog shows it selected. */
import { clientMessage } from '../messages.ts'
import { openTemplate } from './template.ts'
import { toast } from './toast.ts'

export async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast('success', clientMessage('copied'))
  } catch {
    copyByHand(text)
  }
}

function copyByHand(text: string) {
  const dialog = openTemplate<HTMLDialogElement>('copy-template')
  const field = dialog.querySelector('textarea')!
  field.value = text
  dialog.showModal()
  field.select()
  dialog.addEventListener('copy', () => setTimeout(() => dialog.close()))
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
}
