/** <tollgate-frame>: posts theme and language to the site in its frame, and to no other one. */
class TollgateFrame extends HTMLElement {
  readonly #dark = matchMedia('(prefers-color-scheme: dark)')
  readonly #post = () => {
    const frame = this.querySelector('iframe')!
    const { origin } = new URL(frame.src)
    const theme = this.getAttribute('theme')
    const isDark = theme === 'system' ? this.#dark.matches : theme === 'gate-night'
    frame.contentWindow?.postMessage({ themeMode: isDark ? 'dark' : 'light' }, origin)
    frame.contentWindow?.postMessage({ lang: this.getAttribute('language') }, origin)
  }

  connectedCallback() {
    const frame = this.querySelector('iframe')!
    frame.addEventListener('load', this.#post)
    this.#dark.addEventListener('change', this.#post)
    if (isLoaded(frame)) this.#post()
  }

  disconnectedCallback() {
    this.#dark.removeEventListener('change', this.#post)
  }
}

/** Until the other site is there, the frame has an empty document that this page can read. */
function isLoaded({ contentWindow }: HTMLIFrameElement): boolean {
  try {
    return contentWindow!.location.href !== 'about:blank'
  } catch {
    return true
  }
}

customElements.define('tollgate-frame', TollgateFrame)
