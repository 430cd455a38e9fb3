/** Addresses that are stored and later followed: which are accepted. */

/** Schemes whose address is a program or a document of its own. */
const scriptScheme = /^(javascript|livescript|vbscript|data|blob|file|filesystem|view-source|about):/i
/** Blanks, control characters and characters without a picture: browsers ignore some of them in a scheme. */
const unseen = /[\s\p{C}]/gu
const hasUnseen = /[\s\p{C}]/u

const named: Record<string, string> = { colon: ':', tab: '\t', newline: '\n' }
const entity = /&(?:amp;)*(?:#x([\da-f]{1,6})|#(\d{1,7})|(colon|tab|newline));?/gi

/** HTML entities, as far as they can spell a scheme. */
const withoutEntities = (text: string) =>
  text.replace(entity, (_, hex?: string, decimal?: string, name = '') => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return named[name.toLowerCase()] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : '')
  })

/** Whether a link to it would run a script or open a document of its sender, in any spelling that a browser accepts. */
export const runsScript = (address: string): boolean => scriptScheme.test(withoutEntities(address).replace(unseen, ''))

/** Whether it is an http(s) URL. */
export const isWebAddress = (address: string): boolean =>
  /^https?:\/\/[^/?#\\]/i.test(address) && !hasUnseen.test(address) && URL.canParse(address)

/** @returns the origin of an https address that a page may show in a frame; undefined for any other text */
export function frameOrigin(text: string): string | undefined {
  if (!text.startsWith('https://') || !isWebAddress(text)) return undefined
  const { origin, host, username, password } = new URL(text)
  // Some marks are valid in a host and have a meaning in a content security policy.
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/.test(host) && !username && !password ? origin : undefined
}

/** Whether it is an https URL, a path of this site, or an image in the address itself: pages load no http images. */
export const isImageAddress = (address: string): boolean =>
  (isWebAddress(address) && /^https:/i.test(address)) ||
  (!hasUnseen.test(address) && (/^\/(?![/\\])/.test(address) || /^data:image\/[\w.+-]+[;,]/i.test(address)))

const appAddress = /^[a-z][a-z0-9+.-]*:\/\//i

/** Whether it is the address of a chat client, with or without placeholders: an http(s) URL, or a scheme of an app. */
export function isChatAddress(template: string): boolean {
  const plain = template.replaceAll(' ', '%20')
  if (/^https?:/i.test(plain)) return isWebAddress(plain)
  return appAddress.test(plain) && !hasUnseen.test(plain) && !runsScript(plain)
}

const domainName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** Whether it is a domain of e-mail addresses, in lower case. */
export const isEmailDomain = (text: string): boolean => domainName.test(text)
