/** <tollgate-try-it>: sends its prompt to `model` without an API key, shows the answer as it comes, then its receipt. */
import htmx from 'htmx.org'
import { TRY_IT_PATH, TRY_IT_RECEIPT_PATH, tryItRequest } from '../../src/contracts/try-it.ts'
import { clientMessage } from '../messages.ts'

interface Chunk {
  choices?: { delta?: { content?: string | null } }[]
  error?: { message?: string }
}

class TollgateTryIt extends HTMLElement {
  connectedCallback() {
    this.querySelector('form')!.addEventListener('submit', event => {
      event.preventDefault()
      void this.#send(new FormData(event.target as HTMLFormElement).get('prompt') as string)
    })
  }

  async #send(prompt: string) {
    const button = this.querySelector('button')!
    if (button.ariaBusy === 'true') return
    button.ariaBusy = 'true'
    this.#paper.replaceChildren()
    this.#answer.classList.remove('error-text')
    this.#answer.textContent = ''
    try {
      const response = await fetch(TRY_IT_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(tryItRequest(this.getAttribute('model')!, prompt)),
      })
      if (!response.ok) throw new Error(((await response.json()) as Chunk).error?.message ?? String(response.status))
      await this.#read(response.body!)
      await this.#print(response.headers.get('x-request-id')!)
    } catch (error) {
      this.#answer.classList.add('error-text')
      this.#answer.textContent = error instanceof TypeError ? clientMessage('unreachable') : (error as Error).message
    } finally {
      button.ariaBusy = null
    }
  }

  async #read(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    let rest = ''
    for await (const text of body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
      const events = (rest + text).split('\n\n')
      rest = events.pop()!
      for (const event of events) this.#take(event)
    }
  }

  #take(event: string) {
    const data = /^data: ?(\{.*)$/m.exec(event)?.[1]
    if (!data) return
    const { choices, error }: Chunk = JSON.parse(data)
    if (error) throw new Error(error.message)
    this.#answer.append(choices?.[0]?.delta?.content ?? '')
  }

  async #print(request_id: string) {
    const slot = this.#paper.appendChild(document.createElement('div'))
    await htmx.ajax('GET', `${TRY_IT_RECEIPT_PATH}/${request_id}`, { source: slot, target: slot, swap: 'innerHTML' })
    this.#paper.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }

  get #answer() {
    return this.querySelector('.answer')!
  }

  get #paper() {
    return this.querySelector('.paper')!
  }
}

customElements.define('tollgate-try-it', TollgateTryIt)
