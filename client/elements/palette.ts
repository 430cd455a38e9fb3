/** <tollgate-palette>: finds pages and things as one types; the arrows choose, Enter opens. Ctrl K and its button open it. */
import { PALETTE_PATH } from '../../src/contracts/palette.ts'
import { ask } from '../enhance/ask.ts'
import { openTemplate } from '../enhance/template.ts'

const PAUSE_MS = 120

class TollgatePalette extends HTMLElement {
  #waiting?: Timer
  #asking?: AbortController

  connectedCallback() {
    this.#input.addEventListener('input', () => this.#search(PAUSE_MS))
    this.addEventListener('keydown', event => this.#press(event))
    this.#results.addEventListener('pointermove', ({ target }) => {
      const option = (target as Element).closest('[role=option]')
      if (option && option.getAttribute('aria-selected') !== 'true') this.#choose(option)
    })
    this.#dialog.addEventListener('click', ({ target }) => target === this.#dialog && this.#dialog.close())
    this.#dialog.addEventListener('close', () => this.remove())
    this.#dialog.showModal()
    this.#search(0)
  }

  disconnectedCallback() {
    clearTimeout(this.#waiting)
    this.#asking?.abort()
  }

  get #dialog() {
    return this.querySelector('dialog')!
  }

  get #input() {
    return this.querySelector('input')!
  }

  get #results() {
    return this.querySelector<HTMLElement>('[role=listbox]')!
  }

  get #options() {
    return [...this.#results.querySelectorAll<HTMLElement>('[role=option]')]
  }

  get #chosen() {
    return this.#results.querySelector<HTMLElement>('[aria-selected=true]')
  }

  #search(pause: number) {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => this.#load(), pause)
  }

  async #load() {
    this.#asking?.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    const headers = {
      'hx-request': 'true',
      'hx-request-type': 'partial',
      'hx-target': this.#results.id,
      'hx-current-url': location.href,
    }
    try {
      const response = await ask(`${PALETTE_PATH}?${new URLSearchParams({ q: this.#input.value })}`, headers, signal)
      if (!response.ok) throw new Error(response.statusText)
      this.#results.innerHTML = await response.text()
    } catch {
      if (signal.aborted) return
      this.#results.replaceChildren()
      this.#say(this.getAttribute('failed')!)
      return
    }
    this.#choose(this.#options[0])
    this.#say(this.#results.querySelector('.palette-none')?.textContent ?? '')
  }

  #say(text: string) {
    const status = this.querySelector('[role=status]')!
    status.textContent = text
    status.className = text && !this.#results.childElementCount ? 'palette-none' : 'sr-only'
  }

  #choose(option: Element | undefined) {
    this.#chosen?.setAttribute('aria-selected', 'false')
    option?.setAttribute('aria-selected', 'true')
    if (option) this.#input.setAttribute('aria-activedescendant', option.id)
    else this.#input.removeAttribute('aria-activedescendant')
  }

  #press(event: KeyboardEvent) {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const options = this.#options
      const next = options.at((options.indexOf(this.#chosen!) + step) % options.length)
      this.#choose(next)
      next?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    const { ctrlKey, metaKey } = event
    this.#chosen?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey }))
  }
}

customElements.define('tollgate-palette', TollgatePalette)

/** Over a drawer it stays shut: what was typed there would be lost. */
function open(event: Event) {
  if (!document.getElementById('palette-template')) return
  event.preventDefault()
  const shown = document.querySelector<HTMLDialogElement>('tollgate-palette dialog')
  if (shown) shown.close()
  else if (!document.querySelector('dialog:modal')) openTemplate('palette-template')
}

document.addEventListener('keydown', event => {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event
  if ((ctrlKey || metaKey) && !shiftKey && !altKey && key.toLowerCase() === 'k') open(event)
})

document.addEventListener('click', event => {
  const { target, ctrlKey, metaKey, shiftKey } = event
  if (!ctrlKey && !metaKey && !shiftKey && (target as Element).closest('[data-palette]')) open(event)
})

if (/Mac|iP(hone|ad)/.test(navigator.platform))
  for (const key of document.querySelectorAll('[data-palette] .key')) key.textContent = '⌘K'
