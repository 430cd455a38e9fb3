/** Refusals of Midjourney Proxy: a code and a description, in a response of any status. */
import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import { numberOf, objectOf, textOf } from '../json/lenient-json.ts'
import type { SubmitAnswer } from './wire.ts'

/** Codes of the maker, and of what stands before it. */
export const CODES = {
  submitted: 1,
  not_found: 3,
  invalid: 4,
  internal: 5,
  existed: 21,
  in_queue: 22,
  queue_full: 23,
  banned_prompt: 24,
  overloaded: 30,
} as const

const accepted = new Set<unknown>([CODES.submitted, CODES.existed, CODES.in_queue])
export const isAccepted = (code: unknown): boolean => accepted.has(code)

/** The code as a status: by it other channels are tried, and a channel is left alone. */
const statuses: Record<number, number> = {
  [CODES.not_found]: 404,
  [CODES.invalid]: 400,
  [CODES.banned_prompt]: 400,
  [CODES.queue_full]: 503,
  [CODES.overloaded]: 503,
}
const SERVER_ERROR = 500
const BAD_REQUEST = 400
const UNAVAILABLE = 503
const TOO_MANY = 429

/** Type of a refusal for want of an account: the upstream can draw nothing until its owner adds one. */
const NO_ACCOUNT = 'no_account'
const namesNoAccount = /no available account|account instance|无可用.{0,4}账号|账号实例/i

/** What clients are shown of the properties of a refusal. */
const shownProperties = ['promptEn', 'bannedWord', 'numberOfQueues']

/** @returns undefined when the body is no refusal */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const answer = objectOf<SubmitAnswer>(body)
  const code = numberOf(answer.code)
  const isRefusal = status >= BAD_REQUEST || (code !== undefined && !isAccepted(code))
  if (!isRefusal) return undefined
  const message = textOf(answer.description) || textOf(objectOf(body).message)
  const lacksAccount = code === CODES.not_found && namesNoAccount.test(message)
  const own = lacksAccount ? UNAVAILABLE : (statuses[code ?? 0] ?? SERVER_ERROR)
  return {
    status: status >= BAD_REQUEST ? status : own,
    message,
    type: lacksAccount ? NO_ACCOUNT : 'upstream_error',
    code: code === undefined ? '' : String(code),
    param: null,
    ...(code !== undefined && { details: { status: status || OK, code, properties: shownOf(answer.properties) } }),
  }
}

const OK = 200

const shownOf = (properties: unknown): Json => {
  const known = objectOf<Json>(properties) as Json
  return Object.fromEntries(shownProperties.flatMap(name => (name in known ? [[name, known[name]]] : [])))
}

const isOfQuota = (code: string) => /^insufficient_(?:user|token)_quota$/.test(code)

/** An upstream's refusal keeps its code; what this gateway refuses has one of the maker's. */
export function writeError({ status, code, message, type, details }: ApiError): Json {
  if (typeof details?.code === 'number')
    return { code: details.code, description: message, result: null, properties: details.properties ?? {} }
  if (isOfQuota(code)) return { code: CODES.invalid, description: 'quota_not_enough', type, result: message }
  return { code: ownCode(status), description: message, type }
}

function ownCode(status: number): number {
  if (status === TOO_MANY) return CODES.overloaded
  return status < SERVER_ERROR ? CODES.invalid : CODES.internal
}

/** Clients read the code of a refusal in a response of the status that the upstream gave it. */
export const statusOf = ({ status, details }: ApiError): number => numberOf(details?.status) ?? status

/** What is wrong with a request, in the maker's words. */
export const refusal = (description: string): ApiError => ({
  ...{ status: BAD_REQUEST, type: 'invalid_request_error', code: '' },
  ...{ message: description, param: null },
})
