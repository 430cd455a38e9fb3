/** <tollgate-json>: line numbers, formatting and the line of the first syntax error. */
import { type ParseError, parse } from 'jsonc-parser'

class TollgateJson extends HTMLElement {
  connectedCallback() {
    const text = this.querySelector('textarea')!
    text.addEventListener('input', () => this.#read(text))
    text.addEventListener('scroll', () => (this.querySelector('.line-numbers')!.scrollTop = text.scrollTop))
    this.querySelector('footer button')!.addEventListener('click', () => this.#format(text))
    document.addEventListener('htmx:after:swap', this.#swapped)
    this.#read(text)
  }

  disconnectedCallback() {
    document.removeEventListener('htmx:after:swap', this.#swapped)
  }

  /** A morph brings back the status line of the server. */
  #swapped = () => this.#read(this.querySelector('textarea')!)

  #read(text: HTMLTextAreaElement) {
    const lines = text.value.split('\n').length
    this.querySelector('.line-numbers')!.textContent = Array.from(
      { length: Math.max(lines, text.rows) },
      (_, line) => line + 1,
    ).join('\n')
    const wrong = wrongLine(text.value)
    const { line, lines: many, wrong: error } = this.dataset
    const template = wrong !== undefined ? error! : lines === 1 ? line! : many!
    this.querySelector('[role=status]')!.textContent = template.replace('{n}', String(wrong ?? lines))
    this.classList.toggle('bad', wrong !== undefined)
  }

  #format(text: HTMLTextAreaElement) {
    if (!text.value.trim() || wrongLine(text.value) !== undefined) return text.focus()
    text.value = JSON.stringify(JSON.parse(text.value), null, 2)
    text.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Line of the first syntax error, from jsonc-parser: not every browser's `JSON.parse` names a position. */
function wrongLine(text: string): number | undefined {
  if (!text.trim()) return
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  return errors[0] && text.slice(0, errors[0].offset).split('\n').length
}

customElements.define('tollgate-json', TollgateJson)
