/** Names for what came without one. They are made of the call's own id, so that asking twice gives the same. */
import type { ResponseLabel } from '../format.ts'

/** OpenAI takes no call id beyond 40 characters; the end of a request id is what differs. */
const KEPT = 20

const core = (label: ResponseLabel) => label.id.replaceAll(/[^a-zA-Z0-9]/g, '').slice(-KEPT)

/** The upstream's id where it is already of this kind. */
export const responseId = (prefix: string, id: string, label: ResponseLabel): string =>
  id.startsWith(prefix) ? id : `${prefix}${core(label)}`

export const partId = (prefix: string, label: ResponseLabel, index: number): string =>
  `${prefix}${core(label)}_${index}`

/** Of the nth call in a conversation whose format names none: the same each time the conversation is sent. */
export const historyCallId = (index: number): string => `call_${index}`

const unnamed = /^call_\d+$/

export const isHistoryCallId = (id: string): boolean => unnamed.test(id)
