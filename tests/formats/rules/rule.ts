/** What the makers refuse in conversations. Each rule names the first thing that is wrong with a body. */
import type { Json } from '../../../src/pure/json.ts'

export type BodyRule = (body: Json) => string | undefined

export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])

export const firstFlaw = <T>(items: readonly T[], flawOf: (item: T, index: number) => string | undefined) => {
  for (const [index, item] of items.entries()) {
    const flaw = flawOf(item, index)
    if (flaw) return `${index}: ${flaw}`
  }
}

export const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

export const repeated = (items: readonly unknown[]): unknown => items.find((item, at) => items.indexOf(item) !== at)

export const sameSet = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every(item => other.includes(item))

/** @returns the fields that are not known */
export function unknownFields(object: Json, ...known: string[]): string | undefined {
  const unknown = Object.keys(object).filter(name => object[name] !== undefined && !known.includes(name))
  return unknown.length ? `unknown fields ${unknown}` : undefined
}

/** Signatures of the tests tell their maker and the thought that they sign, so that a rule can check both. */
export const signatureBy = (owner: string, thought: string, mark = ''): string =>
  Buffer.from(`${owner}|${thought}|${mark}`).toString('base64')

/** @returns the thought that the maker signed, of which a recorded signature says nothing; undefined for another maker's */
export function signedBy(owner: string, value: unknown, thought = ''): string | undefined {
  const text = Buffer.from(String(value), 'base64').toString()
  if (!value || text.startsWith('tollgate:')) return undefined
  const [maker, signed] = text.split('|')
  return signed === undefined ? thought : maker === owner ? signed : undefined
}
