/** The document has input events. React is imported later, by `await import`: it asks for them when it is loaded. */
import './dom.ts'

Object.defineProperty(document, 'oninput', { value: null, writable: true })
Object.assign(globalThis, { Event: window.Event })
