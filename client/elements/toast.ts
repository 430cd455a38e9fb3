const STAYS_MS = 4000

/** Success leaves by itself, unless it is being read; errors stay. */
class TollgateToast extends HTMLElement {
  #leaving?: Timer

  connectedCallback() {
    this.querySelector('button')?.addEventListener('click', () => this.remove())
    if (this.getAttribute('kind') !== 'success') return
    this.#leave()
    this.addEventListener('mouseenter', () => clearTimeout(this.#leaving))
    this.addEventListener('mouseleave', () => this.#leave())
  }

  disconnectedCallback() {
    clearTimeout(this.#leaving)
  }

  #leave() {
    this.#leaving = setTimeout(() => this.remove(), STAYS_MS)
  }
}

customElements.define('tollgate-toast', TollgateToast)

/** Shows one, drawn from the document's template. */
export function toast(kind: 'success' | 'error', text: string) {
  const template = document.getElementById(`toast-${kind}`) as HTMLTemplateElement | null
  const element = template?.content.cloneNode(true) as DocumentFragment | undefined
  if (!element) return
  element.querySelector('p')!.textContent = text
  document.getElementById('toasts')?.append(element)
}
