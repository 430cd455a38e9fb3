/** Fields whose value differs from the server-rendered one. */
export type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const dirtyFields = (container: Element): FormControl[] =>
  [...container.querySelectorAll<FormControl>('input, textarea, select')].filter(isChanged)

function isChanged(control: FormControl): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  if (control instanceof HTMLInputElement && control.checked !== control.defaultChecked) return true
  return control.value !== control.defaultValue
}
