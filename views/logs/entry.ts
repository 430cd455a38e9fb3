/** An entry as the page reads it: what kind it is, what it is about, how long it took. */
import { detailsOf, type LogDetails, type LogEntry, LogType } from '../../src/contracts/log.ts'
import type { Translate } from '../../src/locales/index.ts'

/** An entry with its details read. */
export interface LogEntryView extends LogEntry {
  details: LogDetails
}

export const entryView = (entry: LogEntry): LogEntryView => ({ ...entry, details: detailsOf(entry) })

/** In the order in which they are asked for; `said` inside a sentence, `name` by itself. */
export const entryTypes = [
  { type: LogType.consume, inSentence: 'log.type_consume', label: 'log.entry_consume' },
  { type: LogType.error, inSentence: 'log.type_error', label: 'log.entry_error' },
  { type: LogType.topUp, inSentence: 'log.type_top_up', label: 'log.entry_top_up' },
  { type: LogType.manage, inSentence: 'log.type_manage', label: 'log.entry_manage' },
  { type: LogType.system, inSentence: 'log.type_system', label: 'log.entry_system' },
  { type: LogType.checkIn, inSentence: 'log.type_check_in', label: 'log.entry_check_in' },
] as const

export const typeName = (type: number) => entryTypes.find(known => known.type === type)?.label ?? 'log.entry_consume'

export const isError = ({ type }: LogEntry) => type === LogType.error

/** Type 0 is consumption that was written before types were. */
export const isConsumption = ({ type }: LogEntry) => type === LogType.consume || type === 0

const gains: number[] = [LogType.topUp, LogType.checkIn]

/** Whether its quota was given, not spent. */
export const isGain = ({ type }: LogEntry) => gains.includes(type)

/** What an entry is about: a model, or what was done. */
export const nameOf = ({ model_name, type }: LogEntry, t: Translate) => model_name || t(typeName(type))

/** Milliseconds that a call took, where that is known. */
export const durationOf = ({ use_time, details }: LogEntryView) =>
  details.duration_ms ?? (use_time ? use_time * 1000 : undefined)

/** How many channels were tried before the last one. */
export const retriesOf = ({ admin_info }: LogDetails) => Math.max((admin_info?.use_channel?.length ?? 1) - 1, 0)
