import type { Waking } from '../wake.tsx'

/** Wakes on first load and after an htmx swap alike; React comes only with the first of them. */
class TollgateIsland extends HTMLElement {
  static observedAttributes = ['props']
  #waking?: Promise<Waking>

  connectedCallback() {
    this.#waking ??= import('../wake.tsx').then(({ wake }) => wake(this))
  }

  attributeChangedCallback() {
    this.#waking?.then(waking => waking.update())
  }

  disconnectedCallback() {
    this.#waking?.then(waking => !this.isConnected && waking.end())
    this.#waking = undefined
  }
}

customElements.define('tollgate-island', TollgateIsland)
