/** <tollgate-toast>: success closes after 4 s, after 8 s with an undo, unless the mouse or the focus is in it, errors stay; an equal toast is replaced. */
const SUCCESS_SHOWN_MS = 4000
const UNDO_SHOWN_MS = 8000

class TollgateToast extends HTMLElement {
  #leaving?: Timer

  connectedCallback() {
    raise(this.parentElement)
    for (const other of document.querySelectorAll('tollgate-toast'))
      if (other !== this && textOf(other) === textOf(this)) other.remove()
    this.querySelector('[data-close-toast]')?.addEventListener('click', () => this.remove())
    if (this.getAttribute('kind') !== 'success') return
    this.#leave()
    for (const event of ['mouseenter', 'focusin']) this.addEventListener(event, () => clearTimeout(this.#leaving))
    for (const event of ['mouseleave', 'focusout']) this.addEventListener(event, () => this.#leave())
    this.addEventListener('htmx:finally:request', () => this.remove())
  }

  disconnectedCallback() {
    clearTimeout(this.#leaving)
  }

  #leave() {
    clearTimeout(this.#leaving)
    const shown = this.querySelector('form') ? UNDO_SHOWN_MS : SUCCESS_SHOWN_MS
    this.#leaving = setTimeout(() => this.remove(), shown)
  }
}

const textOf = (toast: Element) => toast.querySelector('p')?.textContent

/** Reopens the popover of toasts: the last opened one is on top, above an open dialog too. */
function raise(toasts: HTMLElement | null) {
  if (toasts?.id !== 'toasts') return
  toasts.popover = 'manual'
  if (toasts.matches(':popover-open')) toasts.hidePopover()
  toasts.showPopover()
}

customElements.define('tollgate-toast', TollgateToast)
