/** <tollgate-payable>: shows what the amount in a field costs, and what it credits. */
import { payableFor, type TopUpTerms } from '../../src/billing/top-up.ts'

class TollgatePayable extends HTMLElement {
  connectedCallback() {
    document.addEventListener('input', this.#show)
    this.#show()
  }

  disconnectedCallback() {
    document.removeEventListener('input', this.#show)
  }

  #show = () => {
    const terms = JSON.parse(this.getAttribute('terms')!) as TopUpTerms
    const field = document.getElementById(this.getAttribute('of')!) as HTMLInputElement
    const { money, quota } = payableFor(field.value, terms)
    const [sum, credit] = this.querySelectorAll('output')
    sum!.textContent = money
    credit!.textContent = quota
  }
}

customElements.define('tollgate-payable', TollgatePayable)
