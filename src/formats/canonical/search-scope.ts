/** The scope of a provider's own web search. */

import type { Field } from '../json/strict-json.ts'

export interface SearchScope {
  /** The only sites that are searched. */
  only?: string[]
  /** How much of the results the model reads: `low`, `medium`, `high`. */
  depth?: string
  place?: { city?: string; country?: string; region?: string; timezone?: string }
}

const places = ['city', 'country', 'region', 'timezone'] as const

/** @param at the field of the place itself */
export function readPlace(at: Field): SearchScope['place'] {
  if (!at.optional) return undefined
  return Object.fromEntries(places.map(name => [name, at.find(name)?.text()]))
}

export const readSites = (sites: Field): string[] | undefined => sites.optional?.list().map(site => site.text())

export type WrittenPlace = { type: 'approximate' } & NonNullable<SearchScope['place']>

/** @returns the place as OpenAI and Anthropic write it */
export const writePlace = (place: SearchScope['place']): WrittenPlace | undefined =>
  place && Object.values(place).some(Boolean) ? { type: 'approximate', ...place } : undefined
