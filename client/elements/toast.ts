const STAYS_MS = 4000

/** Success leaves by itself, unless it is being read; errors stay. */
class TollgateToast extends HTMLElement {
  #leaving?: Timer

  connectedCallback() {
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
    this.#leaving = setTimeout(() => this.remove(), STAYS_MS)
  }
}

customElements.define('tollgate-toast', TollgateToast)
