/** The languages of the console. Another one takes a line here and a folder of messages in `src/locales`. */

export interface LanguageFacts {
  /** In its own words, for the language switch. */
  name: string
  /** BCP 47 tag for `lang` attributes. */
  tag: string
  /** Plural categories of `Intl.PluralRules`: a message with a `count` has one text for each, `calls_one`, `calls_other`. */
  plural: readonly Intl.LDMLPluralRule[]
}

export const languages = {
  zh: { name: '中文', tag: 'zh-CN', plural: ['other'] },
  en: { name: 'English', tag: 'en', plural: ['one', 'other'] },
} as const satisfies Record<string, LanguageFacts>

export type Language = keyof typeof languages

export const languageCodes = Object.keys(languages) as [Language, ...Language[]]
