/** Shows a toast from the template in the document. */
export function toast(kind: 'success' | 'error', text: string) {
  const template = document.getElementById(`toast-${kind}`) as HTMLTemplateElement | null
  const element = template?.content.cloneNode(true) as DocumentFragment | undefined
  if (!element) return
  element.querySelector('p')!.textContent = text
  document.getElementById('toasts')?.append(element)
}
