/**
 * Reads and writes OpenAI error bodies: `{ error: { message, type, param, code } }`.
 * https://platform.openai.com/docs/guides/error-codes (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import type { UpstreamError } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'

export const writeError = ({ message, type, param, code }: ApiError): Json => ({
  error: { message, type, param, code: code || null },
})

export const writeErrorFrame = (failure: ApiError): string => `data: ${JSON.stringify(writeError(failure))}\n\n`

/**
 * Finds the error in the place where OpenAI has it, or in those of compatible servers. @returns undefined when the body
 * is no error
 */
export function readError(body: unknown): UpstreamError | undefined {
  if (!isObject(body)) return undefined
  const { error, response, errors, choices } = body
  const inner = [error, objectOf(response).error, objectsOf(errors)[0]].find(isObject)
  if (inner) return errorFrom(inner)
  const { message, msg, err, error_msg, errorMsg, detail, header } = body
  const places = [error, message, msg, err, error_msg, errorMsg, detailText(detail), objectOf(header).message]
  const found = places.find(text => typeof text === 'string' && text !== '')
  if (found === undefined || (Array.isArray(choices) && !error)) return undefined
  return errorFrom({ ...body, code: body.code ?? body.error_code ?? objectOf(header).code, message: found })
}

/** FastAPI servers send `detail` as a list with one entry for each invalid field. */
const detailText = (detail: unknown): unknown =>
  Array.isArray(detail)
    ? objectsOf(detail)
        .map(({ loc, msg }) => [[loc].flat().join('.'), msg].filter(Boolean).join(': '))
        .join('; ')
    : detail

const errorFrom = ({ message, type, code, param }: Json): UpstreamError => ({
  message: typeof message === 'string' ? message : '',
  type: typeof type === 'string' ? type : '',
  code: typeof code === 'string' || typeof code === 'number' ? String(code) : '',
  param: typeof param === 'string' ? param : null,
})
