/** HTML that people write, reduced to text, structure and links. Markdown is rendered first: its HTML is what is shown. */
import sanitizeHtml from 'sanitize-html'

const rel = { rel: 'noopener noreferrer nofollow' }

const options: sanitizeHtml.IOptions = {
  allowedTags:
    'a b strong i em u s del ins mark small sub sup code pre kbd samp br hr p div span ul ol li dl dt dd blockquote h1 h2 h3 h4 h5 h6 table thead tbody tfoot tr th td img details summary'.split(
      ' ',
    ),
  /** Removed with their content. */
  nonTextTags:
    'script style svg math template iframe object embed noscript textarea title select option xmp plaintext noembed noframes audio video canvas head'.split(
      ' ',
    ),
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    th: ['colspan', 'rowspan', 'align'],
    td: ['colspan', 'rowspan', 'align'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: { a: sanitizeHtml.simpleTransform('a', rel) },
}

export const sanitise = (html: string): string => sanitizeHtml(html.trim(), options)

/** An image becomes a link to it: its host would learn who reads when, and an address of this site could be an action. */
const linkToImage: sanitizeHtml.Transformer = (_, { src = '', alt = '' }) => ({
  tagName: 'a',
  attribs: { href: src, ...rel },
  text: alt || (/^https?:/i.test(src) ? src : ''),
})

const messageOptions: sanitizeHtml.IOptions = {
  ...options,
  transformTags: { ...options.transformTags, img: linkToImage, h1: 'h2' },
}

/** For messages, which every reader opens: without images, and below the heading of the page. */
export const sanitiseMessage = (html: string): string => sanitizeHtml(html.trim(), messageOptions)

/** The text of sanitised HTML. Blocks are separated by a blank. */
export const textOf = (sanitised: string): string =>
  sanitised
    .replace(inlineTags, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|amp);/g, entity => characters[entity]!)
    .replace(/\s+/g, ' ')
    .trim()

const inlineTags = /<\/?(?:a|b|strong|i|em|u|s|del|ins|mark|small|sub|sup|code|kbd|samp|span)(?: [^>]*)?>/g
const characters: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
