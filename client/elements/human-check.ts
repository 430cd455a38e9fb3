/** <tollgate-human-check>: shows Cloudflare's Turnstile, which puts its token into the form; without a token nothing is sent. */
/** https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ (read 2026-11) */
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

interface Turnstile {
  render(host: HTMLElement, options: Record<string, unknown>): string
  reset(widget: string): void
  remove(widget: string): void
}

let loading: Promise<Turnstile> | undefined

/** Loads Cloudflare's script once, with the nonce of our own. */
function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SCRIPT
    script.nonce = document.querySelector<HTMLScriptElement>('script[nonce]')!.nonce
    script.onload = () => resolve((window as unknown as { turnstile: Turnstile }).turnstile)
    script.onerror = () => {
      script.remove()
      loading = undefined
      reject(new Error('not loaded'))
    }
    document.head.append(script)
  })
  return loading
}

class TollgateHumanCheck extends HTMLElement {
  #leave = new AbortController()
  #turnstile?: Turnstile
  #widget = ''

  connectedCallback() {
    this.#leave = new AbortController()
    const { signal } = this.#leave
    // A button that htmx sends by itself submits no form.
    for (const kind of ['submit', 'htmx:config:request'])
      this.closest('form')?.addEventListener(kind, event => this.#hold(event), { capture: true, signal })
    // The token of a form that was sent is used up.
    document.addEventListener('htmx:finally:request', event => this.#renew(event), { signal })
    void this.#show()
  }

  disconnectedCallback() {
    this.#leave.abort()
    if (this.#widget) this.#turnstile?.remove(this.#widget)
    this.#widget = ''
  }

  /** Without Cloudflare's script there is no token; the next submit loads it again. */
  async #show() {
    this.#turnstile = await loadTurnstile().catch(() => undefined)
    if (!this.#turnstile || !this.isConnected || this.#widget) return
    this.#widget = this.#turnstile.render(this.querySelector<HTMLElement>('[data-widget]')!, {
      sitekey: this.getAttribute('sitekey'),
      theme: this.getAttribute('theme'),
      language: this.lang,
      size: 'flexible',
      callback: () => this.#wait(false),
    })
  }

  get #token() {
    return this.querySelector<HTMLInputElement>('[name=cf-turnstile-response]')?.value ?? ''
  }

  #hold(event: Event) {
    if (this.#token) return
    event.preventDefault()
    event.stopImmediatePropagation()
    this.#wait(true)
    if (!this.#widget) void this.#show()
  }

  #wait(isWaiting: boolean) {
    this.querySelector<HTMLElement>('[data-waiting]')!.hidden = !isWaiting
  }

  #renew({ target }: Event) {
    if (this.#widget && this.closest('form')?.contains(target as Node)) this.#turnstile?.reset(this.#widget)
  }
}

customElements.define('tollgate-human-check', TollgateHumanCheck)
