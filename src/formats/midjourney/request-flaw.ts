/** What is wrong with a request, in Midjourney Proxy's words. */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { textOf } from '../json/lenient-json.ts'
import { actionIn } from './actions.ts'
import type { SubmitKind } from './wire.ts'

const BLEND_MIN = 2
const BLEND_MAX = 5
const PICTURES_MAX = 20
const VIDEO_INDEX_MAX = 4

/** @returns undefined for a request that an upstream may have */
export function requestFlaw(kind: SubmitKind, body: Json): string | undefined {
  const wrong = texts.find(name => isGiven(body[name]) && typeof body[name] !== 'string')
  if (wrong) return `${inSnakeCase(wrong)}_is_invalid`
  if (body.notifyHook && !isWebAddress(body.notifyHook)) return 'notify_hook_is_invalid'
  if (isGiven(body.accountFilter) && !isObject(body.accountFilter)) return 'account_filter_is_invalid'
  return flawOf(kind, body)
}

const texts = ['prompt', 'state', 'botType', 'notifyHook', 'taskId', 'customId', 'content', 'motion', 'dimensions']

function flawOf(kind: SubmitKind, body: Json): string | undefined {
  switch (kind) {
    case 'imagine':
      return blank(body, 'prompt') ?? picturesFlaw(body.base64Array, 0)
    case 'shorten':
      return blank(body, 'prompt')
    case 'describe':
      return pictureFlaw(body, isGiven(body.link) ? 'link' : 'base64')
    case 'blend':
      return dimensionsFlaw(body) ?? picturesFlaw(body.base64Array, BLEND_MIN, BLEND_MAX)
    case 'upload':
      return picturesFlaw(body.base64Array, 1)
    case 'swap_face':
      return pictureFlaw(body, 'sourceBase64') ?? pictureFlaw(body, 'targetBase64')
    case 'edits':
      return blank(body, 'prompt') ?? pictureFlaw(body, 'image') ?? maskFlaw(body)
    case 'video':
      return videoFlaw(body)
    case 'modal':
      return blank(body, 'taskId') ?? maskFlaw(body)
    default: {
      const isNamed = kind === 'simple_change' || textOf(body.taskId).trim()
      const read = isNamed ? actionIn(kind, body) : { flaw: 'task_id_is_required' }
      return 'flaw' in read ? read.flaw : undefined
    }
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''
const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const required = (name: string) => `${inSnakeCase(name)}_is_required`
const blank = (body: Json, name: string) => (textOf(body[name]).trim() ? undefined : required(name))

const isWebAddress = (value: unknown) => /^https?:\/\/[^\s/]/i.test(textOf(value)) && URL.canParse(textOf(value))
const isPicture = (value: unknown) =>
  /^data:image\/(?:png|jpe?g|webp|gif);base64,[\w+/]/i.test(textOf(value)) || isWebAddress(value)

function pictureFlaw(body: Json, name: string): string | undefined {
  if (!isGiven(body[name])) return required(name)
  return isPicture(body[name]) ? undefined : `${inSnakeCase(name)}_is_invalid`
}

const maskFlaw = ({ mask, maskBase64 }: Json) =>
  [mask, maskBase64].some(value => isGiven(value) && !isPicture(value)) ? 'mask_is_invalid' : undefined

function picturesFlaw(list: unknown, min: number, max = PICTURES_MAX): string | undefined {
  if (!isGiven(list)) return min ? 'base64_array_is_required' : undefined
  const fits = Array.isArray(list) && list.length >= min && list.length <= max && list.every(isPicture)
  return fits ? undefined : 'base64_array_is_invalid'
}

const dimensionsFlaw = ({ dimensions }: Json) =>
  isGiven(dimensions) && !['PORTRAIT', 'SQUARE', 'LANDSCAPE'].includes(dimensions as string)
    ? 'dimensions_is_invalid'
    : undefined

/** Of a picture, or of one that a task has drawn. */
function videoFlaw(body: Json): string | undefined {
  const { motion, index, taskId } = body
  if (isGiven(motion) && motion !== 'low' && motion !== 'high') return 'motion_is_invalid'
  if (!taskId) return blank(body, 'prompt') ?? pictureFlaw(body, 'image')
  const fits =
    index === undefined || (Number.isInteger(index) && Number(index) >= 0 && Number(index) <= VIDEO_INDEX_MAX)
  return fits ? undefined : 'index_parse_failed'
}
