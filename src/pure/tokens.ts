/**
 * About how many tokens a text is, by its script and without any model's table: a word of up to eight letters, three
 * digits, a mark, a Chinese character are one each. For what is reserved, and for bills where nobody else has counted.
 */
export function tokensIn(text: string): number {
  let tokens = 0
  let letters = 0
  let digits = 0
  let blanks = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = code < 128 ? kinds[code]! : other
    if (kind !== letter && letters) tokens += 1 + ((letters - 1) >> 3)
    if (kind !== digit && digits) tokens += Math.ceil(digits / 3)
    if (kind !== blank && blanks > 1) tokens += 1
    letters = kind === letter ? letters + 1 : 0
    digits = kind === digit ? digits + 1 : 0
    blanks = kind === blank ? blanks + 1 : 0
    if (kind === mark) tokens += 1
    else if (kind === other) tokens += code >= FIRST_IDEOGRAPH ? 1 : 0.5
  }
  if (letters) tokens += 1 + ((letters - 1) >> 3)
  if (digits) tokens += Math.ceil(digits / 3)
  if (blanks > 1) tokens += 1
  return Math.ceil(tokens)
}

/** From here on a character is a syllable or a word of its own. */
const FIRST_IDEOGRAPH = 0x2e80

const [letter, digit, blank, mark, other] = [0, 1, 2, 3, 4]

const kinds = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/i.test(character)) return letter
  if (/\d/.test(character)) return digit
  return /[\s\x00-\x1f]/.test(character) ? blank : mark
})
