/** Errors of Suno-API: a code and a message, in a response of any status. */

import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import type { SunoAction, SunoAnswer } from './wire.ts'

const BAD_REQUEST = 400
const SERVER_ERROR = 500

/** An error inside a 200 counts as the server's own. @returns undefined when the body is no error */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const { code, message } = objectOf<SunoAnswer<unknown>>(body)
  const isError = status >= BAD_REQUEST || (typeof code === 'string' && code !== 'success')
  if (!isError) return undefined
  const said = textOf(message) || (typeof body === 'string' ? body : '')
  return { status: status || SERVER_ERROR, message: said, type: 'upstream_error', code: textOf(code), param: null }
}

export const writeError = ({ code, message }: ApiError): Json => ({ code, message, data: null })

const invalid = (message: string, param: string | null): ApiError => ({
  ...{ status: BAD_REQUEST, type: 'invalid_request_error', code: 'invalid_request' },
  ...{ message, param },
})

const texts = [
  'prompt',
  'gpt_description_prompt',
  'title',
  'tags',
  'mv',
  'task_id',
  'continue_clip_id',
  'negative_tags',
]

/** What is wrong with a request, in Suno-API's words. */
export function requestFlaw(body: Json, action: SunoAction): ApiError | undefined {
  const wrong = texts.find(name => ![undefined, null].includes(body[name] as null) && typeof body[name] !== 'string')
  if (wrong) return invalid(`invalid ${wrong}`, wrong)
  const isBlank = (name: string) => String(body[name] ?? '').trim() === ''
  const described = action === 'LYRICS' ? ['prompt'] : ['prompt', 'gpt_description_prompt', 'tags', 'title']
  const continues = action === 'MUSIC' && !isBlank('continue_clip_id')
  if (continues && isBlank('task_id')) return invalid('task id is empty', 'task_id')
  if (!continues && described.every(isBlank)) return invalid('prompt_empty', 'prompt')
}

export const taskUnknown: ApiError = {
  ...{ status: BAD_REQUEST, type: 'invalid_request_error', code: 'task_not_exist' },
  ...{ message: 'task_not_exist', param: 'task_id' },
}

export const invalidAction = invalid('invalid_action', null)
export const invalidIds = invalid('invalid ids', 'ids')
export const originUnfinished = invalid('task is not finished', 'task_id')
