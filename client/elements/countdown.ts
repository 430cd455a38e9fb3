/** <tollgate-countdown>: disables its button for `seconds` and shows the seconds that are left. */
const SECOND_MS = 1000

class TollgateCountdown extends HTMLElement {
  static observedAttributes = ['seconds']
  #ticking?: Timer

  /** Waits for the end of a morph, which writes the label of the button after the attribute. */
  attributeChangedCallback(_name: string, _old: string | null, seconds: string | null) {
    clearInterval(this.#ticking)
    if (seconds === null) return
    queueMicrotask(() => this.#start(this.querySelector('button')!, performance.now() + Number(seconds) * SECOND_MS))
  }

  disconnectedCallback() {
    clearInterval(this.#ticking)
  }

  #start(button: HTMLButtonElement, end: number) {
    if (!this.isConnected) return
    const label = button.textContent
    const tick = () => {
      const left = Math.ceil((end - performance.now()) / SECOND_MS)
      button.disabled = left > 0
      button.textContent = left > 0 ? this.getAttribute('waiting')!.replace('{seconds}', String(left)) : label
      // Without the attribute, the same number of seconds counts again.
      if (left <= 0) this.removeAttribute('seconds')
    }
    this.#ticking = setInterval(tick, SECOND_MS)
    tick()
  }
}

customElements.define('tollgate-countdown', TollgateCountdown)
