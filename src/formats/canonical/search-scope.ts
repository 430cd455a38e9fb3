/** Where a provider's own search looks, as formats say it. */

import type { Json } from '../../pure/json.ts'
import type { Field } from '../json/strict-json.ts'

export interface SearchScope {
  /** No other sites than these. */
  only?: string[]
  /** How much of what is found is read: `low`, `medium`, `high`. */
  depth?: string
  place?: { city?: string; country?: string; region?: string; timezone?: string }
}

const places = ['city', 'country', 'region', 'timezone'] as const

/** @param at the place itself, whatever it is wrapped in */
export function readPlace(at: Field): SearchScope['place'] {
  if (!at.optional) return undefined
  return Object.fromEntries(places.map(name => [name, at.at(name).optional?.text()]))
}

export const readSites = (sites: Field): string[] | undefined => sites.optional?.list().map(site => site.text())

/** As all write it who take one. */
export const writePlace = (place: SearchScope['place']): Json | undefined =>
  place && Object.values(place).some(Boolean) ? { type: 'approximate', ...place } : undefined
