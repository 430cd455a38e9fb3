/** What a hurried hand does twice is meant once. */
const layerOf = (element: Element) => element.closest('dialog')

/** Where the first of several clicks was. */
let layer: Element | null = null

/** The second of a double click sends nothing again, and is not meant for the drawer that the first has opened or closed. */
document.addEventListener(
  'click',
  event => {
    const pressed = event.target as Element
    if (event.detail < 2) {
      layer = layerOf(pressed)
      return
    }
    if (layerOf(pressed) === layer && !pressed.closest('[type=submit]')) return
    event.preventDefault()
    event.stopImmediatePropagation()
  },
  { capture: true },
)
