/** Expected errors: a message key, its parameters and an HTTP status. */
import type { MessageKey } from '../locales/index.ts'
import type { MessageParams } from '../locales/translator.ts'

/** `web/envelope.ts`, `console/page.tsx` and `relay/errors` turn it into a response in the caller's language and format. */
export class Refusal extends Error {
  /** @param status HTTP status; 200 is an envelope with `success: false` */
  constructor(
    readonly code: MessageKey,
    readonly params: MessageParams = {},
    readonly status = 200,
    /** The invalid form field. */
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

/** Why a fetched address gave nothing that can be used. */
export type FetchFailure =
  | ('unreachable' | 'timeout' | 'redirect' | 'too_large' | 'private')
  | ('status' | 'not_json' | 'incomplete' | 'foreign')
