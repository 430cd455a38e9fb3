/** Addresses in model output: what a link may lead to, and where a picture comes from. */

const linkProtocols = ['http:', 'https:', 'mailto:']

/** @returns undefined for an address that is not absolute, or of another protocol: `javascript:`, `data:`, `/logout` */
export function safeLink(address: string): string | undefined {
  const url = URL.parse(address)
  return url && linkProtocols.includes(url.protocol) ? url.href : undefined
}

/** A picture that the browser draws without a request: its own data, in a format that holds no script. */
export const isInlinePicture = (address: string): boolean =>
  /^data:image\/(png|jpeg|gif|webp);base64,[a-z\d+/=]+$/i.test(address)

/** A picture of another site. Our policy for pages allows no other protocol. */
export const remotePicture = (address: string): URL | undefined => {
  const url = URL.parse(address)
  return url?.protocol === 'https:' ? url : undefined
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Text with the commonest character references of HTML read. */
export const decoded = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (all, name, decimal, hex) => {
    if (name) return entities[name.toLowerCase()]!
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
