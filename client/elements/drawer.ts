import { dirtyFields } from '../dirty-fields.ts'

/** A drawer or dialog that the server drew: modal here. Esc and the scrim close it, changes are asked about, focus comes back. */
class TollgateDrawer extends HTMLElement {
  #opener?: Element | null
  #address = ''
  #changed = false

  connectedCallback() {
    this.#opener = document.activeElement
    this.#address = location.pathname + location.search
    // A morph may put the element in its place first and its content into it then.
    queueMicrotask(() => this.isConnected && this.#open())
  }

  #open() {
    const layer = this.#layer
    this.#changed = dirtyFields(layer).length > 0
    layer.close()
    layer.showModal()
    this.#focus(layer)
    layer.addEventListener('cancel', event => this.#leave(event))
    layer.addEventListener(
      'click',
      event => (event.target === layer || (event.target as Element).closest('[data-close]')) && this.#leave(event),
    )
    layer.addEventListener('input', () => (this.#changed = true))
    document.addEventListener('keydown', this.#press)
    this.#ask.addEventListener('close', () => this.#ask.returnValue === 'discard' && this.#close())
  }

  #press = (event: KeyboardEvent) => {
    if (this.#ask.open || event.isComposing) return
    const { key, ctrlKey, metaKey } = event
    // Left to the browser, the second Esc in a row closes without asking.
    if (key === 'Escape') this.#leave(event)
    if (key === 'Enter' && (ctrlKey || metaKey)) this.#layer.querySelector('form')?.requestSubmit()
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#press)
    // What is below may have been drawn anew with it.
    queueMicrotask(() => this.#origin?.focus())
  }

  /** What opened it, or the link that leads to where it was. */
  get #origin(): HTMLElement | null {
    const opener = this.#opener
    if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) return opener
    return document.querySelector<HTMLElement>(`#main a[href="${CSS.escape(this.#address)}"]`)
  }

  get #layer() {
    return this.querySelector<HTMLDialogElement>('dialog:not([data-ask])')!
  }

  get #ask() {
    return this.querySelector<HTMLDialogElement>('dialog[data-ask]')!
  }

  /** The first field with an error, or the one that asks for it, or the first. */
  #focus(layer: HTMLElement) {
    const first = ['[aria-invalid=true]', '[autofocus]', 'form :is(input:not([type=hidden]), select, textarea)']
      .map(selector => layer.querySelector<HTMLElement>(selector))
      .find(Boolean)
    first?.focus()
  }

  #leave(event: Event) {
    event.preventDefault()
    event.stopPropagation()
    if (!this.#changed) return this.#close()
    this.#ask.returnValue = ''
    this.#ask.showModal()
  }

  /** Follows the way that is there without JavaScript too. */
  #close() {
    this.querySelector<HTMLAnchorElement>(':scope > .scrim')!.click()
  }
}

customElements.define('tollgate-drawer', TollgateDrawer)
