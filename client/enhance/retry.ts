/** A request that failed: its choices go back to what the server has, and it can be sent again. */
import { dirtyFields, type FormControl } from '../dirty-fields.ts'

/** What a failed request needs to be known by. */
export interface FailedRequest {
  sourceElement?: Element
  sourceEvent?: Partial<Event> & { submitter?: HTMLElement | null }
}

/** Takes the choices back. @returns sends the request again, with them */
export function takeBack({ sourceElement, sourceEvent }: FailedRequest): (() => void) | undefined {
  if (!(sourceElement instanceof HTMLElement)) return undefined
  const form = sourceElement.closest('form')
  if (sourceElement !== form) return () => sourceElement.click()
  const chosen = isQuick(form) ? dirtyFields(form).filter(isChoice) : []
  const restore = chosen.map(keep)
  for (const control of chosen) reset(control)
  return () => {
    for (const put of restore) put()
    const trigger = form.getAttribute('hx-trigger')
    if (!trigger || trigger.includes('submit')) form.requestSubmit(sourceEvent?.submitter)
    else chosen[0]?.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

/** Forms that are sent by a choice. */
const isQuick = (form: Element) => form.getAttribute('hx-trigger')?.includes('change') ?? false

/** Text stays as it was typed. */
const isChoice = (control: FormControl) =>
  !control.matches('.typed, [type=search], [type=text]:not(.inline-number), textarea')

/** @returns puts the value back that the control has now */
function keep(control: FormControl): () => void {
  const { value } = control
  const checked = control instanceof HTMLInputElement && control.checked
  return () => {
    control.value = value
    if (control instanceof HTMLInputElement) control.checked = checked
  }
}

/** To the value that the server has rendered. */
function reset(control: FormControl) {
  if (control instanceof HTMLSelectElement)
    for (const choice of control.options) choice.selected = choice.defaultSelected
  else control.value = control.defaultValue
  if (control instanceof HTMLInputElement) control.checked = control.defaultChecked
}

/** A form that saves a choice shows afterwards what the server has, also when it refused. */
document.addEventListener('htmx:finally:request', event => {
  const { ctx } = (event as CustomEvent<{ ctx: FailedRequest & { request: { method: string } } }>).detail
  const form = ctx.sourceElement
  if (!(form instanceof HTMLFormElement) || ctx.request.method === 'GET' || !isQuick(form)) return
  for (const control of dirtyFields(form)) if (isChoice(control)) reset(control)
})
