/** A document for islands, without a browser. Imported before React, which looks for one when it starts. */
import { Window } from 'happy-dom'

const window = new Window({ url: 'http://localhost/' })
// KaTeX looks for it.
Object.defineProperty(window.document, 'compatMode', { value: 'CSS1Compat' })

const names = [
  ...['document', 'navigator', 'location', 'Node', 'Element', 'HTMLElement', 'HTMLIFrameElement', 'SVGElement', 'Text'],
  ...['customElements', 'requestAnimationFrame', 'cancelAnimationFrame', 'MutationObserver', 'DocumentFragment'],
] as const
Object.assign(globalThis, { window }, Object.fromEntries(names.map(name => [name, window[name]])))
