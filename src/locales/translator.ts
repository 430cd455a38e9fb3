/** Messages with their parameters filled in, by i18next: all nouns on the server, a few in an island. */
import { createInstance } from 'i18next'
import type { Language } from './languages.ts'
import type { MessageKey } from './message-key.ts'

export type MessageParams = Record<string, string | number>
/** `count` among the parameters selects the plural form. */
export type Translate = (key: MessageKey, params?: MessageParams) => string
/** The messages of one language, by noun. */
export type Messages = Record<string, Record<string, string>>

export function createTranslator(language: Language, messages: Messages): Translate {
  const instance = createInstance({
    lng: language,
    resources: { [language]: { translation: messages } },
    interpolation: { escapeValue: false },
    initAsync: false,
  })
  instance.init()
  // Most messages have no parameters, and a page has hundreds of them: i18next is too slow for these.
  return (key, params) => (params ? instance.t(key, params) : (plainMessage(messages, key) ?? instance.t(key)))
}

function plainMessage(messages: Messages, key: string): string | undefined {
  const dot = key.indexOf('.')
  return messages[key.slice(0, dot)]?.[key.slice(dot + 1)]
}
