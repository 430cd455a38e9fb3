/** Reads the action of a request: by its path, or by what it does with the task that it continues. */
import type { Json } from '../../pure/json.ts'
import { textOf } from '../json/lenient-json.ts'
import type { MidjourneyAction, SubmitKind } from './wire.ts'

/** An action that cannot be read is named by its flaw, in the maker's words. */
export type ReadAction = { action: MidjourneyAction; index?: number } | { flaw: string }

const byPath: Partial<Record<SubmitKind, MidjourneyAction>> = {
  imagine: 'IMAGINE',
  describe: 'DESCRIBE',
  blend: 'BLEND',
  modal: 'MODAL',
  shorten: 'SHORTEN',
  upload: 'UPLOAD',
  swap_face: 'SWAP_FACE',
  edits: 'EDITS',
  video: 'VIDEO',
}

export function actionIn(kind: SubmitKind, body: Json): ReadAction {
  const action = byPath[kind]
  if (action) return { action }
  if (kind === 'simple_change') return simpleChange(body.content)
  return kind === 'change' ? change(body) : customAction(body.customId)
}

/** The name under which an action is listed and priced. */
export const modelOf = (action: MidjourneyAction): string =>
  action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`

/** They are free: the upstream opens a window, and the modal that follows is charged. */
export const opensModal = (action: string): boolean => action === 'INPAINT' || action === 'CUSTOM_ZOOM'

const INDEX_MAX = 4
const isIndex = (index: number) => Number.isInteger(index) && index >= 1 && index <= INDEX_MAX
const changes = new Set(['UPSCALE', 'VARIATION', 'REROLL'])

function change({ action, index }: Json): ReadAction {
  if (!textOf(action)) return { flaw: 'action_is_required' }
  if (!changes.has(action as string)) return { flaw: 'unknown_action' }
  if (action === 'REROLL') return { action }
  if (index === undefined || index === null || index === 0) return { flaw: 'index_is_required' }
  if (!isIndex(index as number)) return { flaw: 'index_parse_failed' }
  return { action: action as MidjourneyAction, index: index as number }
}

const simple: Record<string, MidjourneyAction> = { u: 'UPSCALE', v: 'VARIATION', r: 'REROLL' }

/** `1320098173412546 U2`: id, letter and index. */
const simpleContent = /^\s*(\S{1,200})\s+(?:([uv])([1-4])|(r))\s*$/i

function simpleChange(content: unknown): ReadAction {
  if (!textOf(content).trim()) return { flaw: 'content_is_required' }
  const [, , letter, index, reroll] = simpleContent.exec(content as string) ?? []
  const action = simple[(letter ?? reroll ?? '').toLowerCase()]
  if (!action) return { flaw: 'content_parse_failed' }
  return { action, index: index === undefined ? undefined : Number(index) }
}

/** The task that a simple change names. */
export const taskIdIn = (content: unknown): string => simpleContent.exec(textOf(content))?.[1] ?? ''

const INDEX_PART = 3

/** `MJ::JOB::upsample::2::uuid` or `MJ::Inpaint::1::uuid::SOLO`: the button of a finished task. */
function customAction(customId: unknown): ReadAction {
  if (!textOf(customId)) return { flaw: 'custom_id_is_required' }
  const parts = (customId as string).split('::')
  const name = (parts[1] === 'JOB' ? parts[2] : parts[1]) ?? ''
  const action = namedAction(name)
  if (!action) return { flaw: 'unknown_action' }
  if (action !== 'UPSCALE' && action !== 'VARIATION') return { action }
  const index = Number(parts[INDEX_PART] || Number.NaN)
  return isIndex(index) ? { action, index } : { flaw: 'index_parse_failed' }
}

function namedAction(name: string): MidjourneyAction | undefined {
  if (name.includes('upsample')) return 'UPSCALE'
  if (name.includes('low_variation')) return 'LOW_VARIATION'
  if (name.includes('high_variation')) return 'HIGH_VARIATION'
  if (name.includes('variation')) return 'VARIATION'
  if (/^pan(?:_|$)/.test(name)) return 'PAN'
  if (name.includes('reroll')) return 'REROLL'
  return windows[name]
}

const windows: Record<string, MidjourneyAction | undefined> = Object.assign(Object.create(null), {
  Outpaint: 'ZOOM',
  CustomZoom: 'CUSTOM_ZOOM',
  Inpaint: 'INPAINT',
} satisfies Record<string, MidjourneyAction>)
