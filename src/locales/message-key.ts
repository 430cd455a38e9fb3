/** The names of sentences: English has them all, and the other languages have the same. */
import type en from './en/index.ts'

export type Noun = keyof typeof en

/** `calls_one` and `calls_other` are one sentence, `calls`, that is said with a `count`. */
type Said<Key> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key

export type MessageKey = { [N in Noun]: `${N}.${Said<keyof (typeof en)[N] & string>}` }[Noun]
