/** Ids for items without one. They are made of the id of the call, so that the same label gives the same ids. */
import type { ResponseLabel } from '../format.ts'

/** Characters of the request id, whose end differs. OpenAI accepts ids of tool calls up to 40 characters. */
const CORE_LENGTH = 20

const core = (label: ResponseLabel) => label.id.replaceAll(/[^a-zA-Z0-9]/g, '').slice(-CORE_LENGTH)

/** @returns the upstream's own id if it begins with the prefix */
export const responseId = (prefix: string, id: string, label: ResponseLabel): string =>
  id.startsWith(prefix) ? id : `${prefix}${core(label)}`

export const partId = (prefix: string, label: ResponseLabel, index: number): string =>
  `${prefix}${core(label)}_${index}`

/** @returns the id of the nth tool call in a conversation whose format has none; it stays the same when the conversation is sent again */
export const historyCallId = (index: number): string => `call_${index}`

const unnamed = /^call_\d+$/

export const isHistoryCallId = (id: string): boolean => unnamed.test(id)
