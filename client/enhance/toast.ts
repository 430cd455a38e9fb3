/** Shows one, drawn from the document's template. */
export function toast(kind: 'success' | 'error', text: string) {
  const template = document.getElementById(`toast-${kind}`) as HTMLTemplateElement | null
  const element = template?.content.cloneNode(true) as DocumentFragment | undefined
  if (!element) return
  element.querySelector('p')!.textContent = text
  document.getElementById('toasts')?.append(element)
}
