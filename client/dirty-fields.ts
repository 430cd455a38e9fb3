/** Fields whose value differs from the server-rendered one. */
export type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const dirtyFields = (container: Element): FormControl[] =>
  [...container.querySelectorAll<FormControl>('input, textarea, select')].filter(isChanged)

function isChanged(control: FormControl): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  // The value of a checkbox without one is `on`, its default is empty.
  if (control.type === 'checkbox' || control.type === 'radio') {
    const { checked, defaultChecked } = control as HTMLInputElement
    return checked !== defaultChecked
  }
  return control.value !== control.defaultValue
}
