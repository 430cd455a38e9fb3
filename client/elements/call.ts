/** <tollgate-call>: its button sends `body` as a chat completion with the API key `secret`, then shows the reply and its receipt. */
import htmx from 'htmx.org'
import { clientMessage } from '../messages.ts'

const CALL_PATH = '/v1/chat/completions'

interface Reply {
  choices?: { message?: { content?: string | null } }[]
  error?: { message?: string }
}

class TollgateCall extends HTMLElement {
  connectedCallback() {
    this.#button.addEventListener('click', () => this.#send())
  }

  get #button() {
    return this.querySelector('button')!
  }

  async #send() {
    const button = this.#button
    if (button.ariaBusy === 'true') return
    button.ariaBusy = 'true'
    const body = this.getAttribute('body')!
    try {
      await this.#show(await this.#call(body))
    } catch {
      this.#print('error-text', clientMessage('unreachable'))
    } finally {
      button.ariaBusy = null
    }
  }

  #call(body: string): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.getAttribute('secret')}`,
      'content-type': 'application/json',
      'accept-language': document.documentElement.lang,
    }
    return fetch(CALL_PATH, { method: 'POST', headers, body, credentials: 'omit' })
  }

  async #show(response: Response) {
    const { choices, error }: Reply = await response.json()
    if (!response.ok) return this.#print('error-text', error?.message ?? String(response.status))
    this.#print('reply', choices?.[0]?.message?.content ?? '')
    const slot = this.#place.appendChild(document.createElement('div'))
    const path = `${this.getAttribute('receipt')}/${response.headers.get('x-request-id')}`
    // The receipt comes with the first or a later answer.
    new MutationObserver(() => slot.scrollIntoView({ block: 'nearest' })).observe(slot, { childList: true })
    await htmx.ajax('GET', path, { source: slot, target: slot, swap: 'innerHTML' })
  }

  get #place() {
    return this.querySelector('[role=status]')!
  }

  #print(className: string, text: string) {
    const line = document.createElement('p')
    line.className = className
    line.textContent = text
    this.#place.replaceChildren(line)
  }
}

customElements.define('tollgate-call', TollgateCall)
