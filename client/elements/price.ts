/** <tollgate-price>: keeps the ratios and the USD prices of a model and its tiers equal while either is typed. */
import {
  ratioPairs,
  ratiosFromUsd,
  tierRatiosFromUsd,
  tierUsdFromRatios,
  usdFromRatios,
} from '../../src/billing/usd-ratios.ts'
import { plain } from '../../src/pure/decimal.ts'

type Kind = 'ratio' | 'usd'
const DIGITS = 6

class TollgatePrice extends HTMLElement {
  connectedCallback() {
    this.addEventListener('input', ({ target }) => {
      const [, name] = /^(?:tier_\d+_)?(.*)$/.exec((target as HTMLInputElement).name)!
      const kind = (['ratio', 'usd'] as const).find(kind => ratioPairs.some(pair => pair[kind] === name))
      if (kind) this.#follow(kind)
    })
  }

  #follow(typed: Kind) {
    const unit = Number(this.getAttribute('unit'))
    const model = this.#numbers(typed, '')
    this.#write(typed, '', typed === 'ratio' ? usdFromRatios(model, unit) : ratiosFromUsd(model, unit))
    for (const { name } of this.querySelectorAll<HTMLInputElement>('[name^=tier_][name$=_from]')) {
      const prefix = name.replace(/from$/, '')
      const tier = this.#numbers(typed, prefix)
      const others = typed === 'ratio' ? tierUsdFromRatios(tier, model, unit) : tierRatiosFromUsd(tier, model, unit)
      this.#write(typed, prefix, others)
    }
  }

  /** The fields with a number. */
  #numbers(kind: Kind, prefix: string): Record<string, number> {
    const numbers: Record<string, number> = {}
    for (const pair of ratioPairs) {
      const text = this.#field(prefix + pair[kind])?.value.trim() ?? ''
      if (text !== '' && Number.isFinite(Number(text))) numbers[pair[kind]] = Number(text)
    }
    return numbers
  }

  /** Fills the fields of the other spelling, and both notes of what equals what. */
  #write(typed: Kind, prefix: string, others: Partial<Record<string, number>>) {
    for (const pair of ratioPairs) {
      const name = prefix + pair[typed === 'ratio' ? 'usd' : 'ratio']
      const field = this.#field(name)
      if (!field) continue
      const value = others[name.slice(prefix.length)]
      field.value = value === undefined ? '' : plain(value)
      this.#note(name, field.value)
      this.#note(prefix + pair[typed], this.#field(prefix + pair[typed])!.value)
    }
  }

  #note(name: string, text: string) {
    const note = this.querySelector<HTMLElement>(`[data-equal="${name}"]`)
    if (!note) return
    const isNumber = text.trim() !== '' && Number.isFinite(Number(text))
    note.textContent = isNumber ? `= ${note.dataset.sign}${plain(Number(Number(text).toPrecision(DIGITS)))}` : '\u00a0'
  }

  #field = (name: string) => this.querySelector<HTMLInputElement>(`[name="${name}"]`)
}

customElements.define('tollgate-price', TollgatePrice)
