/** Reads and writes the answer to a submit that an upstream has accepted. */
import type { TaskStatus } from '../../contracts/task.ts'
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import { opensModal } from './actions.ts'
import { CODES } from './api-error.ts'
import type { SubmitAnswer } from './wire.ts'

/** What an answer says of its task. */
export interface AcceptedSubmit {
  status: TaskStatus
  is_charged: boolean
  /** The id may be that of another task of the same user: one that existed before, or whose window this fills in. */
  may_repeat: boolean
  result?: Json
}

export function readAccepted(action: string, answer: Json): AcceptedSubmit {
  const { code, properties, result } = objectOf<SubmitAnswer>(answer)
  const is_charged = action === 'SWAP_FACE' ? code === CODES.submitted : !opensModal(action)
  const may_repeat = code === CODES.existed || action === 'MODAL'
  if (action === 'UPLOAD') return { status: 'SUCCESS', is_charged, may_repeat, result: { urls: result } }
  if (code === CODES.in_queue) return { status: 'QUEUED', is_charged, may_repeat }
  if (code !== CODES.existed) return { status: 'SUBMITTED', is_charged, may_repeat }
  const { status, imageUrl } = objectOf(properties)
  const isDone = status === 'SUCCESS' && /^https?:\/\//i.test(textOf(imageUrl))
  const waiting = opensModal(action) ? 'MODAL' : 'SUBMITTED'
  return { status: isDone ? 'SUCCESS' : waiting, is_charged, may_repeat, ...(isDone && { result: properties as Json }) }
}

/** Clients know a task as submitted, unless they have to fill in the window that it opens. */
export function writeAnswer(action: string, answer: Json): Json {
  const { code, properties } = objectOf<SubmitAnswer>(answer)
  const isShown = code === CODES.existed && opensModal(action)
  return { ...answer, code: isShown ? code : CODES.submitted, properties: isObject(properties) ? properties : {} }
}
