/** A search field over rows that are all here: hides those that do not contain what is typed, however far apart its letters are. */
class TollgateFilter extends HTMLElement {
  connectedCallback() {
    const input = this.querySelector('input')!
    input.addEventListener('input', () => this.#show(input.value.trim().toLowerCase()))
  }

  #show(wanted: string) {
    const most = Number(this.dataset.most)
    let shown = 0
    for (const row of this.querySelectorAll<HTMLElement>('tbody tr')) {
      const fits = contains(row.dataset.name!.toLowerCase(), wanted) && shown < most
      if (fits) shown++
      row.hidden = !fits
    }
    this.querySelector<HTMLElement>('[data-none]')!.hidden = shown > 0
  }
}

/** Letters in order: `cs4` finds claude-sonnet-4-5. */
function contains(text: string, wanted: string): boolean {
  let at = 0
  for (const letter of wanted) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

customElements.define('tollgate-filter', TollgateFilter)
