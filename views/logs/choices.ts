/** What each filter of the log offers to choose from. */
import type { SelectOption } from '../../client/components/field.tsx'
import { LOGS_RANGE_DEFAULT, LOGS_RANGES, type LogsRange } from '../../src/contracts/log.ts'
import type { Translate } from '../../src/locales/index.ts'
import { entryTypes } from './entry.ts'

export interface NamedChannel {
  id: number
  name: string
}

/** @param word what a type is called inside the sentence, or by itself. */
export function typesOf(t: Translate, word: 'inSentence' | 'label'): SelectOption[] {
  const any = t(word === 'inSentence' ? 'log.any_type' : 'log.any')
  return [{ value: '', label: any }, ...entryTypes.map(known => ({ value: known.type, label: t(known[word]) }))]
}

/** The usual one first: the first of a choice counts as not chosen. */
export function rangesOf(t: Translate): SelectOption[] {
  const usualFirst = [LOGS_RANGE_DEFAULT, ...LOGS_RANGES.filter(range => range !== LOGS_RANGE_DEFAULT)]
  return usualFirst.map(range => ({ value: rangeValue(range), label: t(`log.range_${range}`) }))
}

/** The usual range goes without saying. */
export const rangeValue = (range: LogsRange) => (range === LOGS_RANGE_DEFAULT ? '' : range)

/** A name that has gone since is still what was chosen. */
export const groupsOf = (any: string, groups: string[], chosen: string | undefined): SelectOption[] => [
  { value: '', label: any },
  ...new Set([...groups, ...(chosen === undefined ? [] : [chosen])])
    .values()
    .map(name => ({ value: name, label: name })),
]

export const channelsOf = (any: string, channels: NamedChannel[], chosen: number | undefined): SelectOption[] => [
  { value: '', label: any },
  ...channels.map(({ id, name }) => ({ value: id, label: `#${id} ${name}` })),
  ...(chosen === undefined || channels.some(({ id }) => id === chosen) ? [] : [{ value: chosen, label: `#${chosen}` }]),
]
