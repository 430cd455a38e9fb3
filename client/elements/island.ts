import { islands, type Listed } from '../islands.ts'
import type { Waking } from '../wake.tsx'

const listed: Record<string, Listed> = islands

/** Wakes on first load and after an htmx swap alike; React comes only with the first of them. What is pressed meanwhile is pressed then. */
class TollgateIsland extends HTMLElement {
  static observedAttributes = ['props']
  #waking?: Promise<Waking>

  connectedCallback() {
    this.#waking ??= this.#wake()
  }

  async #wake(): Promise<Waking> {
    const pressed = new Set<HTMLButtonElement>()
    const note = ({ target }: Event) => {
      const button = (target as Element).closest('button')
      if (button) pressed.add(button)
    }
    this.addEventListener('click', note)
    const [{ wake }, island] = await Promise.all([import('../wake.tsx'), listed[this.getAttribute('name')!]!.load()])
    const waking = wake(this, island.default)
    waking.awake.then(() => {
      this.removeEventListener('click', note)
      for (const button of pressed) button.click()
    })
    return waking
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
