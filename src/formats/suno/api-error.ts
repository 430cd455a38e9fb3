/** Errors of Suno-API: a code and a message, in a response of any status. */

import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import type { SunoAction, SunoAnswer, SunoTask } from './wire.ts'

const BAD_REQUEST = 400
const SERVER_ERROR = 500

/**
 * An error inside a 200 counts as the server's own, in any form: a code, an error of what stands before it, or a task that
 * has failed at once. @returns undefined when the body is no error
 */
export function readError(body: unknown, status = 0): ApiError | undefined {
  const { code, message, data, error } = objectOf<SunoAnswer<unknown> & { error: unknown }>(body)
  const { fail_reason } = objectOf<SunoTask>(data)
  const isFailed = objectOf<SunoTask>(data).status === 'FAILURE'
  const isError = status >= BAD_REQUEST || isErrorCode(code) || isObject(error) || isFailed
  if (!isError) return undefined
  const own = isErrorCode(code) ? String(code) : textOf(objectOf(error).code)
  const said = [textOf(message), textOf(fail_reason), textOf(objectOf(error).message), textOf(body), own].find(Boolean)
  return { status: status || statusOf(own), message: said ?? '', type: 'upstream_error', code: own, param: null }
}

/** Other codes than the word are numbers of HTTP, or of the maker. */
const isErrorCode = (code: unknown): code is string | number =>
  typeof code === 'string' ? code !== 'success' : typeof code === 'number' && code !== 0 && code !== 200

/** A code that is a status counts as one. */
const statusOf = (code: string): number => {
  const status = /^[45]\d\d$/.test(code) ? Number(code) : SERVER_ERROR
  return code === 'invalid_request' ? BAD_REQUEST : status
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
