import { type ComponentType, type ReactNode, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { createTranslator, type Messages } from '../src/locales/translator.ts'
import type { PageContextValue } from './components/page-context.tsx'
import { dirtyFields, type FormControl } from './dirty-fields.ts'
import { IslandRoot } from './island-root.tsx'
import { queryClient } from './query.ts'

export interface HydratedIsland {
  /** Comes true once everything in it listens. */
  ready: Promise<void>
  /** The server has sent other props. */
  update(): void
  unmount(): void
}

/** Makes live what the server has drawn. */
export function hydrate(place: HTMLElement, Component: ComponentType): HydratedIsland {
  const facts = read<PageContextValue>(place, 'reader')
  const reader = { ...facts, t: createTranslator(facts.language, read<Messages>(place, 'words')) }
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const listen = () => {
    dirtyFields(place).forEach(replayInput)
    resolve()
  }
  const element = () => (
    <IslandRoot context={reader} client={queryClient}>
      <AfterHydration then={listen}>
        <Component {...read<object>(place, 'props')} />
      </AfterHydration>
    </IslandRoot>
  )
  const root = hydrateRoot(place, element(), { identifierPrefix: place.id, onRecoverableError: ignoreMismatch })
  return { ready, update: () => flushSync(() => root.render(element())), unmount: () => root.unmount() }
}

/** The page changed between the drawing and the waking: React has drawn the island anew, and nobody loses by it. */
const ignoreMismatch = () => undefined

/** Tells of the very moment at which everything in it listens. */
function AfterHydration({ then, children }: { then: () => void; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one wakes once
  useLayoutEffect(then, [])
  return children
}

/** What was typed or chosen before anyone listened is said again, with the caret where it was or gone. */
function replayInput(control: FormControl) {
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
