/** <tollgate-settings>: marks changed settings, counts them in the save bar, saves the changed sections together, and asks before they are left. */
import { dirtyFields } from '../dirty-fields.ts'

/** A section counts as read once its heading is this near to the top of the window. */
const READ_FROM_PX = 280

class TollgateSettings extends HTMLElement {
  connectedCallback() {
    this.addEventListener('input', this.#show)
    this.addEventListener('change', this.#change)
    this.addEventListener('click', this.#click)
    this.addEventListener('submit', this.#submit, { capture: true })
    document.addEventListener('htmx:after:swap', this.#swapped)
    document.addEventListener('click', this.#leave, { capture: true })
    for (const type of ['input', 'submit']) document.addEventListener(type, this.#search, { capture: true })
    window.addEventListener('beforeunload', this.#unload)
    window.addEventListener('scroll', this.#scroll, { passive: true })
    // A morph may insert the element before its content.
    queueMicrotask(() => {
      this.#show()
      this.#scroll()
    })
  }

  disconnectedCallback() {
    document.removeEventListener('htmx:after:swap', this.#swapped)
    document.removeEventListener('click', this.#leave, { capture: true })
    for (const type of ['input', 'submit']) document.removeEventListener(type, this.#search, { capture: true })
    window.removeEventListener('beforeunload', this.#unload)
    window.removeEventListener('scroll', this.#scroll)
  }

  get #bar() {
    return this.querySelector<HTMLElement>('.settings-save')
  }

  get #forms() {
    return [...this.querySelectorAll<HTMLFormElement>('form[data-section]')]
  }

  #changedIn(form: Element) {
    return [...form.querySelectorAll<HTMLElement>('[data-setting]')].filter(
      setting => setting.dataset.changed !== undefined || dirtyFields(setting).length > 0,
    )
  }

  #show = () => {
    const bar = this.#bar
    if (!bar) return
    let [changes, sections] = [0, 0]
    for (const form of this.#forms) {
      const changed = this.#changedIn(form)
      for (const setting of form.querySelectorAll('[data-setting]'))
        setting.classList.toggle('changed', changed.includes(setting as HTMLElement))
      const name = CSS.escape(form.dataset.section!)
      document.querySelector(`.section-list a[data-section="${name}"]`)?.classList.toggle('changed', changed.length > 0)
      changes += changed.length
      sections += changed.length ? 1 : 0
    }
    const { one, oneSection, many } = bar.dataset
    const text = changes === 1 ? one! : sections === 1 ? oneSection! : many!
    bar.querySelector('[role=status]')!.textContent =
      changes === 0 ? '' : text.replace('{n}', String(changes)).replace('{s}', String(sections))
    bar.hidden = changes === 0
  }

  get #isChanged() {
    return this.isConnected && this.#bar?.hidden === false
  }

  #change = (event: Event) => {
    this.#show()
    // Turning this switch off asks at once.
    const control = event.target as HTMLInputElement
    if (control.dataset.confirm !== undefined && !control.checked && control.defaultChecked)
      this.#send([control.closest('[data-setting]')!])
  }

  #click = (event: Event) => {
    const link = (event.target as Element).closest<HTMLElement>('[data-default]')
    if (!link) return
    event.preventDefault()
    const setting = link.closest<HTMLElement>('[data-setting]')!
    const control = setting.querySelector<HTMLInputElement>(`[name="${CSS.escape(setting.dataset.setting!)}"]`)
    if (!control) return
    const text = link.dataset.default!
    if (control.type === 'checkbox') control.checked = text === 'true'
    else control.value = text
    control.dispatchEvent(new Event('input', { bubbles: true }))
    control.focus()
  }

  /** A section is never sent alone: what is typed in the others would stay unsaved. */
  #submit = (event: Event) => {
    const form = event.target as HTMLFormElement
    if (form === this.#all) return this.#fill(form, this.#only ?? this.#forms.flatMap(part => this.#changedIn(part)))
    if (!this.#forms.includes(form) || (event as SubmitEvent).submitter?.hasAttribute('formaction')) return
    event.preventDefault()
    event.stopPropagation()
    this.#all.requestSubmit()
  }

  /** Settings that are sent without the other changes. */
  #only?: Element[]

  get #all() {
    return this.#bar!.querySelector<HTMLFormElement>('form[data-all]')!
  }

  #send(settings: Element[]) {
    this.#only = settings
    this.#all.requestSubmit()
    this.#only = undefined
  }

  /** Copies the fields of changed settings into the form of the save bar. */
  #fill(form: HTMLFormElement, settings: Element[]) {
    for (const copy of form.querySelectorAll('[data-sent]')) copy.remove()
    for (const setting of settings)
      for (const control of setting.querySelectorAll<HTMLInputElement>('input, textarea, select')) {
        if (!control.name || control.disabled || (control.type === 'checkbox' && !control.checked)) continue
        const copy = Object.assign(document.createElement('input'), { type: 'hidden', name: control.name })
        copy.value = control.value
        copy.dataset.sent = ''
        form.append(copy)
      }
  }

  #swapped = () => {
    // A confirmation that was closed leaves the switch as it is stored.
    if (!document.querySelector('tollgate-drawer'))
      for (const control of this.querySelectorAll<HTMLInputElement>('[data-confirm]'))
        if (control.closest<HTMLElement>('[data-setting]')!.dataset.changed === undefined)
          control.checked = control.defaultChecked
    this.#show()
  }

  #leave = (event: Event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[href]')
    if (!link || !this.#isChanged || !leaves(link)) return
    if (link.dataset.discard !== undefined) this.#bar!.hidden = true
    else this.#ask(event, () => link.click())
  }

  /** Results of a search replace the page. */
  #search = (event: Event) => {
    const field = event.target as Element
    if (this.#isChanged && field.closest('form[role=search]'))
      this.#ask(event, () => field.dispatchEvent(new Event(event.type, { bubbles: true, cancelable: true })))
  }

  /** Stops the event, and goes on once the visitor discards the changes. */
  #ask(event: Event, goOn: () => void) {
    event.preventDefault()
    event.stopPropagation()
    const ask = this.querySelector<HTMLDialogElement>('dialog[data-leave]')!
    ask.returnValue = ''
    ask.onclose = () => {
      if (ask.returnValue !== 'discard') return
      this.#bar!.hidden = true
      goOn()
    }
    ask.showModal()
  }

  /** Marks the section at the top of the window in the index. */
  #scroll = () => {
    const sections = [...this.querySelectorAll('.setting-section')]
    const current = sections.findLast(section => section.getBoundingClientRect().top < READ_FROM_PX) ?? sections[0]
    for (const link of document.querySelectorAll('.section-list a')) {
      if (link.getAttribute('href') === `#${current?.id}`) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }

  #unload = (event: Event) => {
    if (this.#isChanged) event.preventDefault()
  }
}

/** Whether a link leads away from the fields. A drawer over the same tab keeps what is typed in them. */
function leaves(link: HTMLAnchorElement): boolean {
  if (link.target === '_blank' || link.dataset.default !== undefined) return false
  const [here, there] = [new URL(location.href), new URL(link.href)]
  if (here.pathname !== there.pathname) return true
  if (link.hasAttribute('hx-get')) return here.searchParams.get('tab') !== there.searchParams.get('tab')
  return there.hash === '' || here.search !== there.search
}

customElements.define('tollgate-settings', TollgateSettings)
