/** Line numbers, format, and where the text stops being JSON. */
class TollgateJson extends HTMLElement {
  connectedCallback() {
    const text = this.querySelector('textarea')!
    text.addEventListener('input', () => this.#read(text))
    text.addEventListener('scroll', () => (this.querySelector('.no')!.scrollTop = text.scrollTop))
    this.querySelector('footer button')!.addEventListener('click', () => this.#format(text))
    this.#read(text)
  }

  #read(text: HTMLTextAreaElement) {
    const lines = text.value.split('\n').length
    this.querySelector('.no')!.textContent = Array.from(
      { length: Math.max(lines, text.rows) },
      (_, line) => line + 1,
    ).join('\n')
    const wrong = wrongLine(text.value)
    const template = wrong === undefined ? this.dataset.lines! : this.dataset.wrong!
    this.querySelector('[role=status]')!.textContent = template.replace('{n}', String(wrong ?? lines))
    this.classList.toggle('bad', wrong !== undefined)
  }

  #format(text: HTMLTextAreaElement) {
    if (!text.value.trim() || wrongLine(text.value) !== undefined) return text.focus()
    text.value = JSON.stringify(JSON.parse(text.value), null, 2)
    text.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** The number of the first line that is no JSON, as far as the browser says. */
function wrongLine(text: string): number | undefined {
  if (!text.trim()) return
  try {
    JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    const line = /line (\d+)/.exec(message)?.[1]
    if (line) return Number(line)
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
    return text.slice(0, position).split('\n').length
  }
}

customElements.define('tollgate-json', TollgateJson)
