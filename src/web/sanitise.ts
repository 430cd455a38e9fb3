/**
 * HTML that people wrote, reduced to text, structure and links. It is written anew from what was read: nothing of the
 * source is handed on, so that what is left out cannot join its neighbours into something else.
 */

const kept = new Set(
  'a b strong i em u s del ins mark small sub sup code pre kbd samp br hr p div span ul ol li dl dt dd blockquote h1 h2 h3 h4 h5 h6 table thead tbody tfoot tr th td img details summary'.split(
    ' ',
  ),
)
/** Whose content is no text either. */
const removed = new Set(
  'script style svg math template iframe object embed noscript textarea title select option xmp plaintext noembed noframes audio video canvas head'.split(
    ' ',
  ),
)
const attributes: Record<string, string[]> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  th: ['colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
}
const safeAddress = /^(https?:\/\/|mailto:|\/(?!\/)|#)/i

/** Those without an end. */
const empty = new Set(['br', 'hr', 'img'])

export function sanitise(html: string): string {
  if (!html.trim()) return ''
  const writer = new Writer()
  new HTMLRewriter()
    .on('*', { element: element => writer.element(element) })
    .onDocument({ text: ({ text }) => writer.text(text) })
    .transform(html)
  return writer.end()
}

/** Every element ends, and none ends what is not its own: the text cannot break out of the place it is put in. */
class Writer {
  #written = ''
  /** The elements that have begun and not ended. */
  readonly #open: string[] = []
  /** How many elements we are in of which nothing is kept. */
  #removed = 0

  element(element: HTMLRewriterTypes.Element) {
    const name = element.tagName.toLowerCase()
    if (removed.has(name)) {
      if (!element.canHaveContent) return
      this.#removed++
      element.onEndTag(() => void this.#removed--)
    } else if (kept.has(name) && !this.#removed) {
      this.#written += `<${name}${attributesOf(name, element)}>`
      if (empty.has(name)) return
      this.#open.push(name)
      const depth = this.#open.length
      if (element.canHaveContent) element.onEndTag(() => this.#close(depth))
    }
  }

  /** Characters that are written as `&…;` stay so. */
  text(text: string) {
    if (!this.#removed) this.#written += text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  }

  end(): string {
    this.#close(1)
    return this.#written
  }

  /** Ends the element at this depth with all that is still open in it. */
  #close(depth: number) {
    for (const name of this.#open.splice(depth - 1).reverse()) this.#written += `</${name}>`
  }
}

function attributesOf(name: string, element: HTMLRewriterTypes.Element): string {
  const safe = (attributes[name] ?? []).flatMap(attribute => {
    const value = element.getAttribute(attribute)
    return value === null || (isAddress.test(attribute) && !isSafe(value))
      ? []
      : [` ${attribute}="${value.replaceAll('"', '&quot;')}"`]
  })
  if (name === 'a') safe.push(' rel="noopener noreferrer nofollow"')
  return safe.join('')
}

const isAddress = /^(?:href|src)$/

/** A scheme is known by its letters as they stand: one that entities or control characters hide is none of these. */
const isSafe = (address: string) => safeAddress.test(address.trim())
