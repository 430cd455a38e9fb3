/** <tollgate-toast>: success closes after 4 s unless the mouse is over it, errors stay; an equal toast is replaced. */
const SUCCESS_SHOWN_MS = 4000

class TollgateToast extends HTMLElement {
  #leaving?: Timer

  connectedCallback() {
    raise(this.parentElement)
    for (const other of document.querySelectorAll('tollgate-toast'))
      if (other !== this && textOf(other) === textOf(this)) other.remove()
    this.querySelector('[data-close-toast]')?.addEventListener('click', () => this.remove())
    if (this.getAttribute('kind') !== 'success') return
    this.#leave()
    this.addEventListener('mouseenter', () => clearTimeout(this.#leaving))
    this.addEventListener('mouseleave', () => this.#leave())
  }

  disconnectedCallback() {
    clearTimeout(this.#leaving)
  }

  #leave() {
    this.#leaving = setTimeout(() => this.remove(), SUCCESS_SHOWN_MS)
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
