/** Verbs of the palette: the words for them in every language, and what a text says without them. */
import { type MessageKey, translator } from '../../locales/index.ts'
import { languageCodes } from '../../locales/languages.ts'

export const VERBS = ['add_quota', 'disable', 'enable', 'price'] as const
export type Verb = (typeof VERBS)[number]

/** Synonyms, a comma list in each language: the reader may type any of them. */
export const wordsIn = (key: MessageKey): string[] =>
  languageCodes.flatMap(code => translator(code)(key).split(/[,，、]/)).map(word => word.trim().toLowerCase())

/** What may stand between verb and object. */
const PARTICLE = /^(?:(?:to|of|for) +|[给为把] *)/

interface Command {
  verb: Verb
  /** What is named beside the verb. */
  object: string
}

/** A verb with an object before or after it; the longest words win. @returns undefined for a text without both */
export function commandIn(text: string): Command | undefined {
  const typed = text.trim().toLowerCase()
  const fits = VERBS.flatMap(verb =>
    wordsIn(`palette.words_${verb}`).map(word => ({ verb, word, object: withoutWord(typed, word) })),
  )
  const [longest] = fits.filter(({ object }) => object).sort((a, b) => b.word.length - a.word.length)
  return longest && { verb: longest.verb, object: longest.object.replace(PARTICLE, '') }
}

/** Latin words end at a space; Chinese ones need none. */
function withoutWord(text: string, word: string): string {
  const gap = /[a-z]/.test(word) ? ' ' : ''
  if (text.startsWith(word + gap)) return text.slice(word.length).trim()
  return text.endsWith(gap + word) ? text.slice(0, -word.length).trim() : ''
}
