/** Every sentence a person can read, by language and noun: `token.name_too_long` is a line of `<language>/token.json`. */
import en from './en/index.ts'
import zh from './zh/index.ts'

export type Sentence = { [Noun in keyof typeof en]: `${Noun & string}.${keyof (typeof en)[Noun] & string}` }[keyof typeof en]

export const sentences = { en, zh } as const
