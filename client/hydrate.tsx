import { type ComponentType, type ReactNode, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { createTranslator, type Messages } from '../src/locales/translator.ts'
import type { PageContextValue } from './components/page-context.tsx'
import { type Control, dirtyFields } from './dirty-fields.ts'
import { IslandRoot } from './island-root.tsx'
import { queryClient } from './query.ts'

export interface Waking {
  /** Comes true once everything in it listens. */
  awake: Promise<void>
  /** The server has sent other props. */
  update(): void
  end(): void
}

/** Makes live what the server has drawn. */
export function hydrate(place: HTMLElement, Component: ComponentType): Waking {
  const facts = read<PageContextValue>(place, 'reader')
  const reader = { ...facts, t: createTranslator(facts.language, read<Messages>(place, 'words')) }
  const { promise: awake, resolve } = Promise.withResolvers<void>()
  const listen = () => {
    dirtyFields(place).forEach(retell)
    resolve()
  }
  const drawn = () => (
    <IslandRoot reader={reader} client={queryClient}>
      <Awake then={listen}>
        <Component {...read<object>(place, 'props')} />
      </Awake>
    </IslandRoot>
  )
  const root = hydrateRoot(place, drawn(), { identifierPrefix: place.id, onRecoverableError: redrawn })
  return { awake, update: () => flushSync(() => root.render(drawn())), end: () => root.unmount() }
}

/** The page changed between the drawing and the waking: React has drawn the island anew, and nobody loses by it. */
const redrawn = () => undefined

/** Tells of the very moment at which everything in it listens. */
function Awake({ then, children }: { then: () => void; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one wakes once
  useLayoutEffect(then, [])
  return children
}

/** What was typed or chosen before anyone listened is said again, with the caret where it was or gone. */
function retell(control: Control) {
  if (control instanceof HTMLSelectElement) return control.dispatchEvent(new Event('change', { bubbles: true }))
  const { value, selectionStart, selectionEnd } = control
  // React takes no notice of a value that it has seen being set, so it sees another one.
  control.value = control.defaultValue
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')!.set!.call(control, value)
  if (selectionStart !== null) control.setSelectionRange(selectionStart, selectionEnd)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  // Who listens knows of the text by then.
  if (control !== document.activeElement)
    queueMicrotask(() => control.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
}

const read = <T,>(place: HTMLElement, name: string): T => JSON.parse(place.getAttribute(name)!)
