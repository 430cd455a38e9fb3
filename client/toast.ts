/** Shows one, drawn from the document's template; what is shown already is said anew, not twice. */
export function toast(kind: 'success' | 'error', text: string) {
  const template = document.getElementById(`toast-${kind}`) as HTMLTemplateElement | null
  const element = template?.content.cloneNode(true) as DocumentFragment | undefined
  const shown = document.getElementById('toasts')
  if (!element || !shown) return
  for (const one of [...shown.children]) if (one.querySelector('p')?.textContent === text) one.remove()
  element.querySelector('p')!.textContent = text
  shown.append(element)
}
