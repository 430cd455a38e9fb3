/** HTML that people wrote, reduced to text, structure and links. */

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

/** Closes a tag that the text leaves open, whichever quotes it is in; otherwise it is text, and taken away again. */
const END = `"'>`

export function sanitise(html: string): string {
  if (!html.trim()) return ''
  const cleaned = new HTMLRewriter()
    .on('*', { element: clean })
    .onDocument({ comments: comment => void comment.remove(), doctype: type => void type.remove() })
    .transform(html + END)
  return balance(cleaned.endsWith(END) ? cleaned.slice(0, -END.length) : cleaned)
}

function clean(element: HTMLRewriterTypes.Element): void {
  const name = element.tagName.toLowerCase()
  if (removed.has(name)) return void element.remove()
  if (!kept.has(name)) return void element.removeAndKeepContent()
  for (const [attribute, value] of [...element.attributes] as [string, string][]) {
    if (!attributes[name]?.includes(attribute) || (/^(href|src)$/.test(attribute) && !isSafe(value)))
      element.removeAttribute(attribute)
  }
  if (name === 'a') element.setAttribute('rel', 'noopener noreferrer nofollow')
}

/** Entities and control characters can hide a scheme; what they could hide is not kept. */
const isSafe = (address: string) => safeAddress.test(address.trim()) && !/&(?:#|colon|tab|newline)/i.test(address)

const unclosed = new Set(['br', 'hr', 'img'])

/** Every element ends, and none ends what is not its own: the text cannot break out of the place it is put in. */
function balance(html: string): string {
  const open: string[] = []
  const tag = /<(\/?)([a-z][a-z0-9]*)(?:"[^"]*"|'[^']*'|[^>"'])*>|<(?![a-z/])|<\/?(?=[^<]*$)/gi
  const inside = html.replace(tag, (text, end: string | undefined, named: string | undefined) => {
    const name = named?.toLowerCase()
    if (!name) return '&lt;'
    if (unclosed.has(name)) return text
    if (!end) {
      open.push(name)
      return text
    }
    if (!open.includes(name)) return ''
    const closing = open.splice(open.lastIndexOf(name)).reverse()
    return closing.map(each => `</${each}>`).join('')
  })
  return (
    inside +
    open
      .reverse()
      .map(name => `</${name}>`)
      .join('')
  )
}
