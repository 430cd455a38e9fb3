/** <tollgate-tabs>: shows one panel, chosen by click or arrow key; the copy button copies its text. */
class TollgateTabs extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', event => this.#choose((event.target as Element).closest('[role=tab]')))
    this.addEventListener('keydown', event => this.#step(event))
  }

  get #tabs() {
    return [...this.querySelectorAll<HTMLElement>('[role=tab]')]
  }

  #choose(tab: Element | null | undefined) {
    if (!tab) return
    for (const other of this.#tabs) {
      const chosen = other === tab
      other.setAttribute('aria-selected', String(chosen))
      other.tabIndex = chosen ? 0 : -1
      const panel = document.getElementById(other.getAttribute('aria-controls')!)!
      panel.hidden = !chosen
      if (chosen) this.querySelector<HTMLElement>('[data-copy]')!.dataset.copy = panel.textContent!
    }
  }

  #step(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const tabs = this.#tabs
    const at = tabs.indexOf(event.target as HTMLElement)
    if (!step || at < 0) return
    const next = tabs[(at + step + tabs.length) % tabs.length]!
    this.#choose(next)
    next.focus()
  }
}

customElements.define('tollgate-tabs', TollgateTabs)
