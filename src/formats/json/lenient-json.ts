/** Lenient reading of an upstream's JSON: a value of the wrong type counts as absent. A shape names the fields that may be read. */

import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { CHOICES_LIMIT, isObject } from './checks.ts'

/** The fields of a shape, or of any of several: none is known to be there, or to have its type. */
export type UnreadFields<Shape> = { [Field in Shape extends unknown ? keyof Shape : never]?: unknown }

/** @returns an object without fields for anything else */
export const objectOf = <Shape = Json>(value: unknown): UnreadFields<Shape> =>
  (isObject(value) ? value : {}) as UnreadFields<Shape>

/** @returns the objects in a list */
export const objectsOf = <Shape = Json>(value: unknown): UnreadFields<Shape>[] =>
  Array.isArray(value) ? (value.filter(isObject) as UnreadFields<Shape>[]) : []

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** @returns the index of a choice; 0 by default */
export const choiceOf = (index: unknown): number =>
  Number.isInteger(index) && (index as number) >= 0 && (index as number) < CHOICES_LIMIT ? (index as number) : 0

/** @returns the own entry of a table for a word from the wire; not inherited ones such as `constructor` */
export const entryOf = <T>(table: Record<string, T>, word: unknown): T | undefined =>
  (typeof word === 'string' || typeof word === 'number') && Object.hasOwn(table, word) ? table[word] : undefined

const beyondAscii = /[\x80-\xff]/

/** Decodes UTF-8 bytes given as Latin-1. */
export const decoded = (latin1: string): string =>
  beyondAscii.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1

/** @returns the object in a JSON text; empty for anything else */
export const parsedObject = (text: string): Json => objectOf(parsedOrUndefined(text))
