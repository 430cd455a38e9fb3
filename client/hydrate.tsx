/** Hydrates a server-rendered island and replays earlier input. */
import { type ComponentType, type ReactNode, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { createTranslator, type Messages } from '../src/locales/translator.ts'
import type { PageContextValue } from './components/page-context.tsx'
import { dirtyFields, type FormControl } from './dirty-fields.ts'
import { IslandRoot } from './island-root.tsx'
import { queryClient } from './query.ts'

export interface HydratedIsland {
  /** Resolves when all event handlers of the island are attached. */
  ready: Promise<void>
  update(): void
  unmount(): void
}

export function hydrate(element: HTMLElement, Component: ComponentType): HydratedIsland {
  const value = read<PageContextValue>(element, 'context')
  const context = { ...value, t: createTranslator(value.language, read<Messages>(element, 'messages')) }
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const listen = () => {
    dirtyFields(element).forEach(replayInput)
    resolve()
  }
  const tree = () => (
    <IslandRoot context={context} client={queryClient}>
      <AfterHydration then={listen}>
        <Component {...read<object>(element, 'props')} />
      </AfterHydration>
    </IslandRoot>
  )
  const root = hydrateRoot(element, tree(), { identifierPrefix: element.id, onRecoverableError: ignoreMismatch })
  return { ready, update: () => flushSync(() => root.render(tree())), unmount: () => root.unmount() }
}

/** A mismatch is harmless: React has rendered the island anew. */
const ignoreMismatch = () => undefined

/** Runs `then` when the event handlers of the children are attached. */
function AfterHydration({ then, children }: { then: () => void; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: an island is hydrated once
  useLayoutEffect(then, [])
  return children
}

/** Dispatches the events of an input made before hydration and restores the caret. */
function replayInput(control: FormControl) {
  if (control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox'))
    return replayClick(control)
  if (control instanceof HTMLSelectElement) return control.dispatchEvent(new Event('change', { bubbles: true }))
  const { value, selectionStart, selectionEnd } = control
  // React ignores an event whose value equals the last one that it saw: it has to see the default first.
  control.value = control.defaultValue
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')!.set!.call(control, value)
  if (selectionStart !== null) control.setSelectionRange(selectionStart, selectionEnd)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  // React handles the input event first.
  if (control !== document.activeElement)
    queueMicrotask(() => control.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
}

/** Ticks the control again, for React to see. The radio button that lost its mark follows by itself. */
function replayClick(control: HTMLInputElement) {
  if (control.type === 'radio' && !control.checked) return
  control.checked = control.defaultChecked
  control.click()
}

const read = <T,>(element: HTMLElement, name: string): T => JSON.parse(element.getAttribute(name)!)
