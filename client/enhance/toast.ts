/** Shows a toast from the template in the document. @param retry sends the failed request again */
export function toast(kind: 'success' | 'error', text: string, retry?: () => void) {
  const template = document.getElementById(`toast-${kind}`) as HTMLTemplateElement | null
  const element = template?.content.cloneNode(true) as DocumentFragment | undefined
  if (!element) return
  element.querySelector('p')!.textContent = text
  const again = element.querySelector<HTMLButtonElement>('[data-retry]')
  const box = element.firstElementChild!
  if (again && retry) {
    again.hidden = false
    again.addEventListener('click', () => {
      box.remove()
      retry()
    })
  }
  document.getElementById('toasts')?.append(element)
}
