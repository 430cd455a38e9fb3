/** Options of the usage log's filters. */
import type { SelectOption } from '../../client/components/field.tsx'
import { LogType } from '../../src/contracts/log.ts'
import { channelText } from '../../src/contracts/suggestion.ts'
import type { Translate } from '../../src/locales/index.ts'
import { entryTypes } from './entry.ts'
import type { LogsView } from './view.ts'

export interface NamedChannel {
  id: number
  name: string
}

export interface LogFiltersProps {
  view: LogsView
  groups: string[]
  /** Administrators filter by user and channel too. */
  isOperator: boolean
  /** The chosen one, when it still exists. */
  channel?: NamedChannel
}

/** @param form wording inside the filter sentence, or as a label. The first is the default. */
export function typesOf(t: Translate, form: 'inSentence' | 'label'): SelectOption[] {
  const isLabel = form === 'label'
  return [
    { value: '', label: t(isLabel ? 'log.entry_calls' : 'log.type_calls') },
    ...entryTypes.map(entry => ({ value: entry.type, label: t(entry[form]) })),
    { value: LogType.untyped, label: t(isLabel ? 'ui.any' : 'log.any_type') },
  ]
}

/** Adds the chosen group when it no longer exists. */
export const groupsOf = (any: string, groups: string[], chosen: string | undefined): SelectOption[] => [
  { value: '', label: any },
  ...new Set([...groups, ...(chosen === undefined ? [] : [chosen])])
    .values()
    .map(name => ({ value: name, label: name })),
]

/** Text of the chosen channel, of which only the number is known once it is deleted. */
export const chosenChannel = ({ view, channel }: Pick<LogFiltersProps, 'view' | 'channel'>): string | undefined =>
  channel ? channelText(channel) : view.channel === undefined ? undefined : `#${view.channel}`
