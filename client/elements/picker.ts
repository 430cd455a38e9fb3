/** <tollgate-picker>: suggests names below its field; the arrows choose, Enter takes. `strict` takes nothing else. */
import type { Suggestion } from '../../src/contracts/suggestion.ts'
import { ask } from '../enhance/ask.ts'

const PAUSE_MS = 120

class TollgatePicker extends HTMLElement {
  #waiting?: Timer
  #asking?: AbortController
  /** The choice that the form was last sent with. */
  #taken = ''
  #isTaking = false
  #isBound = false

  connectedCallback() {
    this.#taken = this.#input.value
    document.addEventListener('htmx:after:settle', this.#mark)
    if (!this.#isBound) this.#bind()
    this.#isBound = true
  }

  #bind() {
    this.addEventListener('input', () => !this.#isTaking && this.#suggest(PAUSE_MS))
    this.addEventListener('keydown', event => this.#press(event))
    this.addEventListener('change', event => event.isTrusted && this.#isStrict && this.#settle(event), {
      capture: true,
    })
    this.#input.addEventListener('click', () => this.#list.hidden && this.#suggest(0))
    this.#input.addEventListener('blur', () => this.#close())
    // The field keeps the focus while the list is clicked.
    this.#list.addEventListener('pointerdown', event => event.preventDefault())
    this.#list.addEventListener('click', ({ target }) => this.#take((target as Element).closest('[role=option]')))
  }

  disconnectedCallback() {
    this.#close()
    document.removeEventListener('htmx:after:settle', this.#mark)
  }

  get #input() {
    return this.querySelector('input')!
  }

  get #list() {
    return this.querySelector<HTMLElement>('[role=listbox]')!
  }

  get #options() {
    return [...this.#list.querySelectorAll<HTMLElement>('[data-value]')]
  }

  get #isStrict() {
    return this.hasAttribute('strict')
  }

  #suggest(pause: number) {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => this.#load(), pause)
  }

  async #load() {
    this.#asking?.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    const { user = '' } = document.documentElement.dataset
    // A field that was filled before shows other choices when it is opened.
    const text = this.#input.value === this.#taken ? '' : this.#input.value
    try {
      const headers = { accept: 'application/json', 'tollgate-user': user }
      const response = await ask(`${this.getAttribute('from')}?${new URLSearchParams({ q: text })}`, headers, signal)
      const { data } = (await response.json()) as { data: Suggestion[] | null }
      if (!signal.aborted) this.#open(data ?? [])
    } catch {
      this.#close()
    }
  }

  #open(suggestions: Suggestion[]) {
    if (document.activeElement !== this.#input) return
    this.#list.replaceChildren(...suggestions.map((suggestion, index) => this.#optionOf(suggestion, index)))
    if (!suggestions.length) this.#list.append(noneOf(this.getAttribute('none')!))
    this.#list.hidden = false
    this.#mark()
  }

  #optionOf({ value, hint }: Suggestion, index: number) {
    const option = document.createElement('div')
    option.id = `${this.#list.id}-${index}`
    option.role = 'option'
    option.dataset.value = value
    option.append(value)
    if (hint) option.append(Object.assign(document.createElement('small'), { textContent: hint }))
    return option
  }

  #close() {
    clearTimeout(this.#waiting)
    this.#asking?.abort()
    this.#list.hidden = true
    this.#list.replaceChildren()
    this.#mark()
  }

  /** Tells the field what is open and chosen; a swap of the page has written over it. */
  #mark = () => {
    const chosen = this.#list.querySelector('[aria-selected=true]')
    this.#input.setAttribute('aria-expanded', String(!this.#list.hidden))
    if (chosen) this.#input.setAttribute('aria-activedescendant', chosen.id)
    else this.#input.removeAttribute('aria-activedescendant')
    if (document.activeElement !== this.#input) this.#taken = this.#input.value
  }

  #press(event: KeyboardEvent) {
    if (event.isComposing) return
    const { key } = event
    const isOpen = !this.#list.hidden
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step) {
      event.preventDefault()
      if (isOpen) this.#step(step)
      else this.#suggest(0)
    }
    if (key === 'Escape' && isOpen) {
      event.preventDefault()
      event.stopPropagation()
      this.#close()
    }
    if (key !== 'Enter') return
    const chosen = this.#list.querySelector('[aria-selected=true]') ?? (this.#isStrict ? this.#options[0] : undefined)
    if (chosen) event.preventDefault()
    if (chosen) this.#take(chosen)
    else if (this.#isStrict && this.#input.value) event.preventDefault()
  }

  #step(step: number) {
    const options = this.#options
    if (!options.length) return
    const at = options.findIndex(option => option.ariaSelected === 'true')
    options[at]?.setAttribute('aria-selected', 'false')
    const next = options.at(at < 0 && step < 0 ? -1 : (at + step) % options.length)!
    next.setAttribute('aria-selected', 'true')
    next.scrollIntoView({ block: 'nearest' })
    this.#mark()
  }

  #take(option: Element | null) {
    const value = (option as HTMLElement | null)?.dataset.value
    if (value !== undefined) this.#send(value)
  }

  #send(value: string) {
    this.#isTaking = true
    this.#input.value = value
    this.#taken = value
    this.#close()
    for (const type of ['input', 'change']) this.#input.dispatchEvent(new Event(type, { bubbles: true }))
    this.#isTaking = false
  }

  /** A strict field that is left keeps its choice, or gives it up when it was emptied. */
  #settle(event: Event) {
    event.stopImmediatePropagation()
    if (this.#input.value === '') this.#send('')
    else this.#input.value = this.#taken
  }
}

function noneOf(text: string) {
  const none = document.createElement('div')
  none.className = 'none'
  none.textContent = text
  none.role = 'option'
  none.ariaDisabled = 'true'
  return none
}

customElements.define('tollgate-picker', TollgatePicker)
