/** What a person has typed or chosen is what differs from what the server drew. */
export type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const dirtyFields = (place: Element): FormControl[] =>
  [...place.querySelectorAll<FormControl>('input, textarea, select')].filter(isChanged)

function isChanged(control: FormControl): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  if (control instanceof HTMLInputElement && control.checked !== control.defaultChecked) return true
  return control.value !== control.defaultValue
}
