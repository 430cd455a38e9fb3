const SUCCESS_SHOWN_MS = 4000

/** Success leaves by itself, unless it is being read; errors stay. What is told already is said anew, not twice. */
class TollgateToast extends HTMLElement {
  #leaving?: Timer

  connectedCallback() {
    raise(this.parentElement)
    for (const other of document.querySelectorAll('tollgate-toast'))
      if (other !== this && textOf(other) === textOf(this)) other.remove()
    this.querySelector('button')?.addEventListener('click', () => this.remove())
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

/** The last that was shown as a popover lies on top, above an open dialog too. */
function raise(toasts: HTMLElement | null) {
  if (toasts?.id !== 'toasts') return
  toasts.popover = 'manual'
  if (toasts.matches(':popover-open')) toasts.hidePopover()
  toasts.showPopover()
}

customElements.define('tollgate-toast', TollgateToast)
