/** <tollgate-selection>: counts the ticked rows, ticks all, clears. */
class TollgateSelection extends HTMLElement {
  connectedCallback() {
    document.addEventListener('change', this.#changed)
    document.addEventListener('htmx:after:settle', this.#count)
    this.querySelector('form')!.addEventListener('reset', () => setTimeout(this.#count))
    this.#count()
  }

  disconnectedCallback() {
    document.removeEventListener('change', this.#changed)
    document.removeEventListener('htmx:after:settle', this.#count)
  }

  #changed = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'checkbox') return
    if (target.hasAttribute('data-select-all')) for (const box of boxes()) box.checked = target.checked
    this.#count()
  }

  #count = () => {
    const all = boxes()
    const picked = all.filter(box => box.checked).length
    const label = this.querySelector<HTMLElement>('[data-selected]')!
    label.textContent = picked ? label.dataset.selected!.replace('{n}', String(picked)) : ''
    const selectAll = document.querySelector<HTMLInputElement>('[data-select-all]')
    if (!selectAll) return
    selectAll.checked = picked > 0 && picked === all.length
    selectAll.indeterminate = picked > 0 && picked < all.length
  }
}

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('.ledger .pick input[form=selection]')]

customElements.define('tollgate-selection', TollgateSelection)
