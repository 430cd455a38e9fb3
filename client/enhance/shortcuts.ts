/** Keyboard shortcuts. Single keys act outside of fields and dialogs only, and can be switched off. */
import { closeRow, stepRow, tickRow } from './rows.ts'
import { openTemplate } from './template.ts'

/** How long a second key may take. */
const SEQUENCE_MS = 1500

const keys: Record<string, () => void> = {
  '/': () => focusSearch(),
  '?': () => openTemplate<HTMLDialogElement>('shortcuts-template').showModal(),
  c: () => document.querySelector<HTMLElement>('#main .page-head .btn-primary')?.click(),
  j: () => stepRow(1),
  k: () => stepRow(-1),
  x: () => tickRow(),
  Escape: () => closeRow(),
}

/** When `g` was pressed. */
let goes = -SEQUENCE_MS

document.addEventListener('keydown', event => {
  const { key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event
  if (defaultPrevented || isComposing || ctrlKey || metaKey || altKey) return
  if (document.documentElement.dataset.shortcuts === 'false' || isTaken(event.target as Element)) return
  const isSecond = event.timeStamp - goes < SEQUENCE_MS
  goes = !isSecond && key === 'g' ? event.timeStamp : -SEQUENCE_MS
  if (isSecond) return goTo(key)
  if (!Object.hasOwn(keys, key)) return
  if (key !== 'Escape') event.preventDefault()
  keys[key]!()
})

const FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'

/** Whether a key belongs to a field, a dialog or an open menu. */
const isTaken = (target: Element) =>
  target.closest?.(FIELDS) || document.querySelector('dialog:modal, :popover-open:not(#toasts, #progress)')

/** Presses the link of the sheet that has this key. */
function goTo(key: string) {
  const sheet = document.getElementById('shortcuts-template') as HTMLTemplateElement | null
  const link = sheet?.content.querySelector<HTMLAnchorElement>(`[data-go="${CSS.escape(key)}"]`)
  if (link) location.assign(link.href)
}

function focusSearch() {
  const fields = ['#main input[type=search]', '#main .sentence input.typed', '#main .sentence :is(input, select)']
  const field = fields
    .flatMap(selector => [...document.querySelectorAll<HTMLInputElement>(selector)])
    .find(one => one.checkVisibility())
  field?.focus()
  field?.select?.()
}
