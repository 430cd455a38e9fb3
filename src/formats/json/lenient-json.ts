/** An upstream's JSON, read leniently: what is not of its kind counts as not said. */

import type { Json } from '../../pure/json.ts'
import { CHOICES_LIMIT, isObject } from './checks.ts'

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

/** The objects of a list. */
export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** Which choice is meant; the first where it does not say. */
export const choiceOf = (index: unknown): number =>
  Number.isInteger(index) && (index as number) >= 0 && (index as number) < CHOICES_LIMIT ? (index as number) : 0

/** What a table has under a word from the wire: not what every object has, such as `constructor`. */
export const entryOf = <T>(table: Record<string, T>, word: unknown): T | undefined =>
  (typeof word === 'string' || typeof word === 'number') && Object.hasOwn(table, word) ? table[word] : undefined

const beyondAscii = /[\x80-\xff]/

/** The text whose bytes these are, one character each. */
export const decoded = (latin1: string): string =>
  beyondAscii.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object that a text of JSON says; empty when it says something else. */
export const parsedObject = (text: string): Json => objectOf(parsed(text))
