/** HTML that operators write, reduced to text, structure and links. */
import sanitizeHtml from 'sanitize-html'

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
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
}

export const sanitise = (html: string): string => sanitizeHtml(html.trim(), options)
