/** From sentences to speech: i18next over whatever sentences are at hand, all of them on the server, a few nouns in an island. */
import { createInstance } from 'i18next'
import type { Language } from '../contracts/visit.ts'
import type { MessageKey } from './message-key.ts'

export type MessageParams = Record<string, string | number>
/** Says one sentence; `count` among the facts chooses between `_one` and `_other`. */
export type Translate = (code: MessageKey, facts?: MessageParams) => string
/** The sentences of one language, by noun. */
export type Messages = Record<string, Record<string, string>>

export function createTranslator(language: Language, sentences: Messages): Translate {
  const instance = createInstance({
    lng: language,
    resources: { [language]: { translation: sentences } },
    interpolation: { escapeValue: false },
    initAsync: false,
  })
  instance.init()
  // Most sentences have no facts; a page says hundreds of them.
  return (code, facts) => (facts ? instance.t(code, facts) : (plain(sentences, code) ?? instance.t(code)))
}

function plain(sentences: Messages, code: string): string | undefined {
  const dot = code.indexOf('.')
  return sentences[code.slice(0, dot)]?.[code.slice(dot + 1)]
}
