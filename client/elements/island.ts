/** <tollgate-island>: hydrates an island on page load and after a swap, and replays input from before. React loads with the first island. */
import { toast } from '../enhance/toast.ts'
import type { HydratedIsland } from '../hydrate.tsx'
import { type IslandEntry, islands } from '../islands.ts'
import { clientMessage } from '../messages.ts'

const entries: Record<string, IslandEntry> = islands

class TollgateIsland extends HTMLElement {
  static observedAttributes = ['props']
  #hydrating?: Promise<HydratedIsland>

  connectedCallback() {
    this.#hydrating ??= this.#hydrate()
  }

  async #hydrate(): Promise<HydratedIsland> {
    const release = holdInput(this)
    const [{ hydrate }, module] = await loadIsland(entries[this.getAttribute('name')!]!)
    const hydrated = hydrate(this, module.default)
    hydrated.ready.then(release)
    return hydrated
  }

  attributeChangedCallback() {
    this.#hydrating?.then(island => island.update())
  }

  disconnectedCallback() {
    this.#hydrating?.then(island => !this.isConnected && island.unmount())
    this.#hydrating = undefined
  }
}

/** Loads React and the island; on failure shows a toast and retries on the next interaction. */
async function loadIsland(island: IslandEntry) {
  for (;;) {
    try {
      return await Promise.all([import('../hydrate.tsx'), island.load()])
    } catch {
      toast('error', clientMessage('unreachable'))
      await nextInteraction()
    }
  }
}

const nextInteraction = () =>
  new Promise(resolve => {
    for (const step of ['click', 'focusin', 'submit'])
      document.addEventListener(step, resolve, { capture: true, once: true })
  })

/** Holds clicks inside the island and the submit of its form until hydration. @returns a function that replays them. */
function holdInput(element: HTMLElement): () => void {
  const form = element.closest('form')
  const clicked = new Set<HTMLButtonElement>()
  let submitted: SubmitEvent | undefined

  const onClick = ({ target }: Event) => {
    const button = (target as Element).closest('button')
    if (button) clicked.add(button)
  }
  /** Enter in a tag input ends the tag instead of submitting the form. */
  const onKey = (event: KeyboardEvent) => {
    const field = event.target as HTMLInputElement
    if (event.key !== 'Enter' || !field.value || !field.matches('[role=combobox]')) return
    event.preventDefault()
    field.setRangeText(',', field.selectionStart!, field.selectionEnd!, 'end')
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    submitted = event
  }
  element.addEventListener('click', onClick)
  element.addEventListener('keydown', onKey)
  form?.addEventListener('submit', onSubmit, { capture: true })

  return () => {
    element.removeEventListener('click', onClick)
    element.removeEventListener('keydown', onKey)
    // React renders replayed input in a later task: clicks follow, then the submit.
    setTimeout(() => {
      for (const button of clicked) button.click()
      setTimeout(() => {
        form?.removeEventListener('submit', onSubmit, { capture: true })
        if (submitted && form?.isConnected) form.requestSubmit(submitted.submitter)
      })
    })
  }
}

customElements.define('tollgate-island', TollgateIsland)
