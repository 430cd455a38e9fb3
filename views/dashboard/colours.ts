/** Colours of models: the eight of the theme. A model keeps its colour in every order and range. */

const COLOURS = 8

/** A named series of a chart; `colour` is 1 to 8, or that of all others. */
export interface Series {
  name: string
  colour: number
}

/** Grey: what has no name of its own does not stand out. */
export const OTHER_COLOUR = 0

export const colourOf = (colour = OTHER_COLOUR) => (colour === OTHER_COLOUR ? 'var(--edge)' : `var(--s${colour})`)

/** How many models a chart names: all of eight, or the first seven of more. */
export const namedCount = (models: number) => (models > COLOURS ? COLOURS - 1 : models)

/** Each model has the colour of its name, or the next one that is free; in the order of the colours. */
export function seriesOf(names: readonly string[]): Series[] {
  const colours = Math.max(names.length, COLOURS - 1)
  const taken = new Map<number, string>()
  for (const name of [...names].sort()) {
    let colour = hashOf(name) % (COLOURS - 1)
    while (taken.has(colour)) colour = (colour + 1) % colours
    taken.set(colour, name)
  }
  return Array.from(taken, ([index, name]) => ({ name, colour: index + 1 })).sort(
    (one, other) => one.colour - other.colour,
  )
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
