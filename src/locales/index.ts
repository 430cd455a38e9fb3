/** Every sentence a person can read, by language and noun: `token.name_too_long` is a line of `<language>/token.json`. */
import type { Language } from '../contracts/visit.ts'
import en from './en/index.ts'
import type { MessageKey, Noun } from './message-key.ts'
import { createTranslator, type MessageParams, type Messages, type Translate } from './translator.ts'
import zh from './zh/index.ts'

export type { MessageKey, Noun } from './message-key.ts'
export type { Translate } from './translator.ts'

export const sentences: Record<Language, Messages> = { en, zh }

const speakers: Record<Language, Translate> = { en: createTranslator('en', en), zh: createTranslator('zh', zh) }

export const translator = (language: Language): Translate => speakers[language]

export const translate = (language: Language, code: MessageKey, facts?: MessageParams): string =>
  speakers[language](code, facts)

/** Whether a text, such as the message of a validation issue, is the code of a sentence. */
export function isMessageKey(text: string): text is MessageKey {
  const [noun = '', key = ''] = text.split('.', 2)
  return Object.hasOwn(en, noun) && Object.hasOwn(sentences.en[noun]!, key)
}

/** What an island ships: these nouns in one language. */
export const messagesOf = (language: Language, nouns: readonly Noun[]): Messages =>
  Object.fromEntries(nouns.map(noun => [noun, sentences[language][noun]!]))

/** The stored preference, else what Accept-Language prefers, else `fallback`. */
export function languageOf(
  stored: string | undefined,
  acceptLanguage: string | null | undefined,
  fallback: Language = 'zh',
): Language {
  if (stored === 'en' || stored === 'zh') return stored
  const asked = (acceptLanguage ?? '')
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map(text => /^\s*q=([\d.]+)/.exec(text)?.[1]).find(Boolean)
      return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ language, weight }) => (language === 'en' || language === 'zh') && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return (asked[0]?.language as Language | undefined) ?? fallback
}
