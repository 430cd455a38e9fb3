import { islands, type Listed } from '../islands.ts'
import type { Waking } from '../wake.tsx'

const listed: Record<string, Listed> = islands

/** Wakes on first load and after an htmx swap alike; React comes only with the first of them. */
class TollgateIsland extends HTMLElement {
  static observedAttributes = ['props']
  #waking?: Promise<Waking>

  connectedCallback() {
    this.#waking ??= this.#wake()
  }

  async #wake(): Promise<Waking> {
    const [{ wake }, island] = await Promise.all([import('../wake.tsx'), listed[this.getAttribute('name')!]!.load()])
    return wake(this, island.default)
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
