/** What a person has typed or chosen is what differs from what the server drew. */
export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const dirtyFields = (place: Element): Control[] =>
  [...place.querySelectorAll<Control>('input, textarea, select')].filter(isChanged)

function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  if (control instanceof HTMLInputElement && control.checked !== control.defaultChecked) return true
  return control.value !== control.defaultValue
}
