/** Facts of a log entry for display: type, name, duration, retries. */
import type { CallRefunds } from '../../src/contracts/call-refund.ts'
import { detailsOf, type LogDetails, type LogEntry, LogType } from '../../src/contracts/log.ts'
import type { Translate } from '../../src/locales/index.ts'

/** A log entry with parsed details. */
export interface LogEntryView extends LogEntry {
  details: LogDetails
}

/** What is read of the open entry alone. */
export interface OpenedCall {
  id: number
  refunds?: CallRefunds
  /** The reader is an administrator who may change the balance of its user. */
  may_refund: boolean
  /** The call as a command, where one repeats it. */
  curl?: string
  /** Address of the page of the call, while its record is kept. */
  page?: string
  /** Address of the playground with the call in it, where it is a chat. */
  playground?: string
}

export const entryView = (entry: LogEntry): LogEntryView => ({ ...entry, details: detailsOf(entry) })

/** In the order of the filter; `inSentence` is the wording inside the filter sentence. */
export const entryTypes = [
  { type: LogType.consume, inSentence: 'log.type_consume', label: 'log.entry_consume' },
  { type: LogType.error, inSentence: 'log.type_error', label: 'log.entry_error' },
  { type: LogType.topUp, inSentence: 'log.type_top_up', label: 'log.entry_top_up' },
  { type: LogType.manage, inSentence: 'log.type_manage', label: 'log.entry_manage' },
  { type: LogType.system, inSentence: 'log.type_system', label: 'log.entry_system' },
  { type: LogType.checkIn, inSentence: 'log.type_check_in', label: 'log.entry_check_in' },
] as const

export const typeName = (type: number) => entryTypes.find(entry => entry.type === type)?.label ?? 'log.entry_consume'

export const isError = ({ type }: LogEntry) => type === LogType.error

export const isConsumption = ({ type }: LogEntry) => type === LogType.consume || type === LogType.untyped

export const isCall = (entry: LogEntry) => isConsumption(entry) || isError(entry)

const gains: number[] = [LogType.topUp, LogType.system, LogType.checkIn]

/** True when the quota was credited. */
export const isGain = ({ type }: LogEntry) => gains.includes(type)

/** The model, or the type of an entry that is no call. */
export const nameOf = ({ model_name, type }: LogEntry, t: Translate) =>
  (type !== LogType.system && model_name) || t(typeName(type))

/** Milliseconds. @returns undefined when the entry has no duration. */
export const durationOf = ({ use_time, details }: LogEntryView) =>
  details.duration_ms ?? (use_time ? use_time * 1000 : undefined)

export const retriesOf = ({ admin_info }: LogDetails) => Math.max((admin_info?.use_channel?.length ?? 1) - 1, 0)
