import type { MessageKey } from '../locales/index.ts'

export type MessageParams = Record<string, string | number>

/** An expected no. Its code is a key of the locales; an edge turns it into the caller's language and shape. */
export class Refusal extends Error {
  /** @param status HTTP status; 200 is the console's ordinary `success: false`. */
  constructor(
    readonly code: MessageKey,
    readonly params: MessageParams = {},
    readonly status = 200,
    /** The form field it is about, where there is one. */
    readonly field?: string,
  ) {
    super(code)
    this.name = 'Refusal'
  }
}

export const unauthorized = (code: MessageKey = 'error.not_logged_in') => new Refusal(code, {}, 401)
export const forbidden = (code: MessageKey = 'error.forbidden') => new Refusal(code, {}, 403)
export const databaseUnavailable = () => new Refusal('error.database_unavailable', {}, 503)
export const notFound = (code: MessageKey = 'error.not_found') => new Refusal(code, {}, 404)
