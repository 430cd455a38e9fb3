import { toast } from '../enhance/toast.ts'
import type { HydratedIsland } from '../hydrate.tsx'
import { type IslandEntry, islands } from '../islands.ts'
import { clientMessage } from '../messages.ts'

const entries: Record<string, IslandEntry> = islands

/** Wakes on first load and after an htmx swap alike; React comes only with the first of them. What is done to it meanwhile is done then. */
class TollgateIsland extends HTMLElement {
  static observedAttributes = ['props']
  #waking?: Promise<HydratedIsland>

  connectedCallback() {
    this.#waking ??= this.#wake()
  }

  async #wake(): Promise<HydratedIsland> {
    const release = holdInput(this)
    const [{ hydrate }, island] = await loadIsland(entries[this.getAttribute('name')!]!)
    const waking = hydrate(this, island.default)
    waking.ready.then(release)
    return waking
  }

  attributeChangedCallback() {
    this.#waking?.then(waking => waking.update())
  }

  disconnectedCallback() {
    this.#waking?.then(waking => !this.isConnected && waking.unmount())
    this.#waking = undefined
  }
}

/** What does not come is told, and asked for again with the person's next step. */
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

/** Keeps back what is pressed in a place, and the form around it: nobody reads there yet what was typed. */
function holdInput(place: HTMLElement): () => void {
  const form = place.closest('form')
  const pressed = new Set<HTMLButtonElement>()
  let sent: SubmitEvent | undefined

  const onClick = ({ target }: Event) => {
    const button = (target as Element).closest('button')
    if (button) pressed.add(button)
  }
  /** Enter ends a name, as a comma does; elsewhere it sends the form. */
  const onKey = (event: KeyboardEvent) => {
    const field = event.target as HTMLInputElement
    if (event.key !== 'Enter' || !field.value || !field.matches('[role=combobox]')) return
    event.preventDefault()
    field.setRangeText(',', field.selectionStart!, field.selectionEnd!, 'end')
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    sent = event
  }
  place.addEventListener('click', onClick)
  place.addEventListener('keydown', onKey)
  form?.addEventListener('submit', onSubmit, { capture: true })

  return () => {
    place.removeEventListener('click', onClick)
    place.removeEventListener('keydown', onKey)
    // What was heard is known a moment later: first what was typed, then what was pressed.
    setTimeout(() => {
      for (const button of pressed) button.click()
      setTimeout(() => {
        form?.removeEventListener('submit', onSubmit, { capture: true })
        if (sent && form?.isConnected) form.requestSubmit(sent.submitter)
      })
    })
  }
}

customElements.define('tollgate-island', TollgateIsland)
