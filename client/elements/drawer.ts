/** <tollgate-drawer>: makes a server-rendered drawer or dialog modal. Esc and the scrim close it, unsaved changes need a confirmation, the focus returns. */
import { dirtyFields, type FormControl } from '../dirty-fields.ts'

class TollgateDrawer extends HTMLElement {
  #opener?: Element | null
  #address = ''
  #changed = false

  connectedCallback() {
    this.#opener = document.activeElement
    this.#address = location.pathname + location.search
    // A morph may insert the element before its content.
    queueMicrotask(() => this.isConnected && this.#open())
  }

  #open() {
    const layer = this.#layer
    this.#changed = dirtyFields(layer).some(holdsData)
    layer.close()
    layer.showModal()
    this.#focus(layer)
    layer.addEventListener('cancel', event => this.#leave(event))
    // In the capture phase: a link that closes would send its own request first.
    layer.addEventListener(
      'click',
      event => (event.target === layer || (event.target as Element).closest('[data-close]')) && this.#leave(event),
      { capture: true },
    )
    layer.addEventListener('input', ({ target }) => (this.#changed ||= holdsData(target as FormControl)))
    document.addEventListener('keydown', this.#press)
    this.#ask.addEventListener('close', () => this.#ask.returnValue === 'discard' && this.#close())
  }

  #press = (event: KeyboardEvent) => {
    if (this.#ask.open || event.isComposing) return
    const { key, ctrlKey, metaKey } = event
    // The browser itself closes a dialog on the second Esc in a row, without `cancel`.
    if (key === 'Escape') this.#leave(event)
    if (key === 'Enter' && (ctrlKey || metaKey)) this.#layer.querySelector('form')?.requestSubmit()
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#press)
    // The same swap may have replaced the opener.
    queueMicrotask(() => this.#origin?.focus())
  }

  /** The opener, or the link with its URL. */
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

  /** Focuses the first field with an error, else the one with `autofocus`, else the first outside a pager. */
  #focus(layer: HTMLElement) {
    const find = (selector: string) => layer.querySelector<HTMLElement>(selector)
    const invalid = find('[aria-invalid=true]')
    if (matchMedia('(pointer: coarse)').matches && !invalid) return focusAlone(layer)
    const first = invalid ?? find('[autofocus]') ?? find(FIRST_FIELD)
    first?.focus()
  }

  #leave(event: Event) {
    event.preventDefault()
    event.stopPropagation()
    if (!this.#changed) return this.#close()
    this.#ask.returnValue = ''
    this.#ask.showModal()
  }

  /** Clicks the scrim, which links to the page without the drawer. */
  #close() {
    this.querySelector<HTMLAnchorElement>(':scope > .scrim')!.click()
  }
}

const FIRST_FIELD = 'form:not(.pager *) :is(input:not([type=hidden]), select, textarea)'

/** Focuses no field: the keyboard of a touch screen would cover the form. */
function focusAlone(layer: HTMLElement) {
  // htmx focuses a field with `autofocus` after the swap.
  for (const field of layer.querySelectorAll('[autofocus]')) field.removeAttribute('autofocus')
  layer.tabIndex = -1
  layer.focus()
}

/** A GET form only chooses what is shown. */
const holdsData = ({ form }: FormControl) => form?.method !== 'get'

customElements.define('tollgate-drawer', TollgateDrawer)
