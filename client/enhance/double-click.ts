/** Ignores the second click of a double click. */
const layerOf = (element: Element) => element.closest('dialog')

/** Dialog of the first click. */
let layer: Element | null = null

/** Stops the second click on a submit button, and in a drawer that the first click has opened or closed. */
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
