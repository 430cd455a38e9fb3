/** Hides keys in a text, however they are written: plain, escaped, percent-encoded, in hex or in base64. */

export const HIDDEN = '***'

const KEY_MIN = 6
/** A fragment of base64 is shorter than what it stands for: fewer characters occur by chance. */
const FRAGMENT_MIN = 8

/** Only the spellings that occur are searched for: a channel may have thousands of keys. */
export function hideKeys(text: string, keys: readonly string[]): string {
  const unescaped = unescapeText(text)
  const lower = text.toLowerCase()
  const standard = text.replaceAll('-', '+').replaceAll('_', '/')
  let shown = text
  for (const key of new Set(keys.flatMap(partsOf))) {
    if (shown.includes(key)) shown = shown.replaceAll(key, HIDDEN)
    if (unescaped !== text && unescaped.includes(key)) shown = shown.replace(escapedPattern(key), HIDDEN)
    const hex = Buffer.from(key).toString('hex')
    if (lower.includes(hex)) shown = shown.replace(new RegExp(hex, 'gi'), HIDDEN)
    for (const fragment of base64Of(key)) {
      if (standard.includes(fragment)) shown = shown.replace(base64Pattern(fragment), HIDDEN)
    }
  }
  return shown
}

/** A key with the secrets inside: `AppId|SecretId|SecretKey`, or the texts of a JSON document. */
const partsOf = (key: string): string[] =>
  [key, ...key.split('|'), ...textsIn(key)].filter(part => part.length >= KEY_MIN)

function textsIn(key: string): string[] {
  if (!key.startsWith('{')) return []
  try {
    return Object.values(JSON.parse(key)).filter(value => typeof value === 'string')
  } catch {
    return []
  }
}

/** `%2d`, `\u002d`, `\x2d`, `&#45;`, `&#x2d;`, `\/`, `\n` */
const escapes = /%([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\x([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*(\d{2,3});|\\(.)/gi
const control: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

const unescapeText = (text: string): string =>
  text.replace(escapes, (_, percent, unicode, short, entity, decimal, character) => {
    if (character) return control[character] ?? character
    const hex = percent ?? unicode ?? short ?? entity
    return String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number(decimal))
  })

/** Matches a key of which any character may be escaped. */
const escapedPattern = (key: string): RegExp => new RegExp([...key].map(escapedCharacter).join(''), 'gi')

function escapedCharacter(character: string): string {
  const code = character.codePointAt(0)!
  const hex = code.toString(16).padStart(2, '0')
  const short = Object.keys(control).find(letter => control[letter] === character)
  const plain = RegExp.escape(character)
  return `(?:\\\\?${plain}|%${hex}|\\\\u00${hex}|\\\\x${hex}|&#(?:x0*${hex}|0*${code});${short ? `|\\\\${short}` : ''})`
}

const OFFSETS = [0, 1, 2]

/** The characters of base64 that a key alone decides, for each place at which it may stand within three bytes. */
const base64Of = (key: string): string[] =>
  OFFSETS.map(offset => {
    const bytes = Buffer.from(`${'\0'.repeat(offset)}${key}`)
    const from = Math.ceil((offset * 4) / 3)
    return bytes.toString('base64').slice(from, Math.floor((bytes.length * 4) / 3))
  }).filter(fragment => fragment.length >= FRAGMENT_MIN)

/** Matches both alphabets of base64, with the characters around that hold the key's first and last bits. */
const base64Pattern = (fragment: string): RegExp =>
  new RegExp(`[\\w+/=-]{0,3}${fragment.replaceAll('/', '[/_]').replaceAll('+', '[+-]')}[\\w+/=-]{0,3}`, 'g')
