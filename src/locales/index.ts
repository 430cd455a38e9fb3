/** Every text that a person can read, by language and noun, and the choice of a language. */
import { brotliDecompressSync } from 'node:zlib'
import { type Language, languageCodes } from './languages.ts'
import type { MessageKey, Noun } from './message-key.ts'
import { readMessages } from './messages.macro.ts' with { type: 'macro' }
import { createTranslator, type MessageParams, type Messages, type Translate } from './translator.ts'

export type { MessageKey, Noun } from './message-key.ts'
export type { Translate } from './translator.ts'

let unpacked: { messages: Record<Language, Messages>; translators: Record<Language, Translate> } | undefined

/** Unpacked when the first text is read: a start and a relayed call read none. */
function texts() {
  unpacked ??= unpack()
  return unpacked
}

function unpack() {
  const json = brotliDecompressSync(Buffer.from(readMessages(), 'base64')).toString()
  const messages: Record<Language, Messages> = JSON.parse(json)
  const pairs = languageCodes.map(language => [language, createTranslator(language, messages[language])])
  return { messages, translators: Object.fromEntries(pairs) as Record<Language, Translate> }
}

export const allMessages = (): Record<Language, Messages> => texts().messages

export const translator = (language: Language): Translate => texts().translators[language]

export const translate = (language: Language, key: MessageKey, params?: MessageParams): string =>
  translator(language)(key, params)

/** A message that is stored, to be read in any language; its parameters may be messages too. */
export interface StoredMessage {
  key: MessageKey
  params?: Record<string, string | number | StoredMessage>
}

export function textOf(language: Language, { key, params = {} }: StoredMessage): string {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'object' ? textOf(language, value) : value,
  ])
  return translate(language, key, Object.fromEntries(texts))
}

/** Whether a text, such as the message of a validation issue, is the key of a message. */
export function isMessageKey(text: string): text is MessageKey {
  const [noun = '', key = ''] = text.split('.', 2)
  const { en } = allMessages()
  return Object.hasOwn(en, noun) && Object.hasOwn(en[noun]!, key)
}

/** The messages that an island ships: these nouns in one language. */
export const messagesOf = (language: Language, nouns: readonly Noun[]): Messages =>
  Object.fromEntries(nouns.map(noun => [noun, allMessages()[language][noun]!]))

const isLanguage = (text: string | undefined): text is Language => languageCodes.some(code => code === text)

/** The stored preference, else the first supported language of `Accept-Language` by weight, else `fallback`. */
export function languageOf(
  stored: string | undefined,
  acceptLanguage: string | null | undefined,
  fallback: Language = 'zh',
): Language {
  if (isLanguage(stored)) return stored
  const accepted = (acceptLanguage ?? '')
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map(text => /^\s*q=([\d.]+)/.exec(text)?.[1]).find(Boolean)
      return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ language, weight }) => isLanguage(language) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return (accepted[0]?.language as Language | undefined) ?? fallback
}
