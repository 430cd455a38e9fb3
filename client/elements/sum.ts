/** <tollgate-sum>: shows the balance that the amount in a field leads to. */
import { balanceText, type Currency, toQuota } from '../../src/billing/quota.ts'

class TollgateSum extends HTMLElement {
  connectedCallback() {
    document.addEventListener('input', this.#show)
    this.#show()
  }

  disconnectedCallback() {
    document.removeEventListener('input', this.#show)
  }

  #show = () => {
    const currency = JSON.parse(this.getAttribute('currency')!) as Currency
    const typed = (document.getElementById(this.getAttribute('of')!) as HTMLInputElement).value
    const amount = typed.trim() === '' ? 0 : Number(typed.replaceAll(',', ''))
    const sum = Number(this.getAttribute('quota')) + toQuota(amount, currency)
    this.querySelector('output')!.textContent = Number.isNaN(sum) ? '—' : balanceText(sum, currency)
  }
}

customElements.define('tollgate-sum', TollgateSum)
