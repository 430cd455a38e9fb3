/** <tollgate-payable>: shows what the amount in a field costs, and what it credits. */
import { balanceText } from '../../src/billing/quota.ts'
import { amountRange, type TopUpTerms, topUpOf, yuanText } from '../../src/billing/top-up.ts'

class TollgatePayable extends HTMLElement {
  connectedCallback() {
    document.addEventListener('input', this.#show)
    this.#show()
  }

  disconnectedCallback() {
    document.removeEventListener('input', this.#show)
  }

  #show = () => {
    const [sum, credit] = this.querySelectorAll('output')
    const [money, quota] = this.#figures() ?? ['—', '—']
    sum!.textContent = money
    credit!.textContent = quota
  }

  /** @returns undefined for a text that is no amount in range */
  #figures(): [money: string, quota: string] | undefined {
    const terms = JSON.parse(this.getAttribute('terms')!) as TopUpTerms
    const field = document.getElementById(this.getAttribute('of')!) as HTMLInputElement
    const text = field.value.trim().replaceAll(',', '')
    const { min, max } = amountRange(terms)
    const amount = /^\d+$/.test(text) ? Number(text) : 0
    if (amount < min || amount > max) return undefined
    const { quota, money_cents } = topUpOf(amount, terms)
    return [yuanText(money_cents), balanceText(quota, terms)]
  }
}

customElements.define('tollgate-payable', TollgatePayable)
