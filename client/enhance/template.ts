/** Puts the element of a template into the document, in place of an earlier one. */
export function openTemplate<Content extends HTMLElement>(id: string): Content {
  const template = document.getElementById(id) as HTMLTemplateElement
  const content = (template.content.cloneNode(true) as DocumentFragment).firstElementChild as Content
  document.querySelector(`[data-from=${id}]`)?.remove()
  content.dataset.from = id
  document.body.append(content)
  return content
}
