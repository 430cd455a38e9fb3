/** What a request for a drawing becomes: checked, pinned to the task that it continues, without what the operator forbids. */
import { option } from '../../domain/options/index.ts'
import { hasTaskPrice } from '../../domain/pricing/index.ts'
import { tasksByUpstreamId } from '../../domain/tasks/index.ts'
import { actionIn, opensModal, taskIdIn } from '../../formats/midjourney/actions.ts'
import { refusal } from '../../formats/midjourney/api-error.ts'
import { requestFlaw } from '../../formats/midjourney/request-flaw.ts'
import type { SubmitKind } from '../../formats/midjourney/wire.ts'
import type { Json } from '../../pure/json.ts'
import type { ReadCall } from '../call.ts'
import { inMakersWords, type OriginTask } from './origin-task.ts'
import type { TaskDetails } from './submit.ts'

interface DrawingOrigin extends OriginTask {
  prompt: unknown
}

/** @throws Fault in Midjourney Proxy's words */
export function checkDrawing({ body }: ReadCall, kind: SubmitKind) {
  const flaw = requestFlaw(kind, bodyFor(body))
  if (flaw) throw inMakersWords(refusal(flaw))
}

/** Of a follow-up. @throws Fault in Midjourney Proxy's words */
export async function drawingOrigin(call: ReadCall, kind: SubmitKind): Promise<DrawingOrigin | undefined> {
  const body = bodyFor(call.body)
  const id = originIdIn(kind, body)
  if (!id) return undefined
  const [task] = await tasksByUpstreamId({ user_id: call.user_id, platform: 'midjourney' }, [id])
  if (!task) throw inMakersWords(refusal('task_not_found'))
  const mustBeDone = kind !== 'modal' && option('MjActionCheckSuccessEnabled')
  if (task.status === 'FAILURE' || (mustBeDone && task.status !== 'SUCCESS'))
    throw inMakersWords(refusal('task_status_not_success'))
  return { ...task, body, prompt: task.input.prompt }
}

const continuing = new Set<SubmitKind>(['change', 'action', 'modal', 'video'])

function originIdIn(kind: SubmitKind, { taskId, content }: Json): string {
  if (kind === 'simple_change') return taskIdIn(content)
  return continuing.has(kind) ? String(taskId ?? '').trim() : ''
}

interface DrawingChoice {
  kind: SubmitKind
  /** Such as `mj-turbo`. */
  mode: string | undefined
  origin: OriginTask | undefined
}

export function drawingDetails(call: ReadCall, { kind, mode, origin }: DrawingChoice): TaskDetails {
  const body = bodyFor(call.body)
  const read = actionIn(kind, body)
  const action = 'action' in read ? read.action : kind
  const { prompt = (origin as DrawingOrigin | undefined)?.prompt } = body
  return {
    action,
    body: { ...body, mode },
    input: { ...withoutPictures(body), prompt },
    price_name: priceNameOf(call.facts.model, mode),
    is_free: opensModal(action),
    hook: option('MjNotifyEnabled') ? String(body.notifyHook ?? '') : '',
  }
}

/** What upstreams may be sent of a request. */
function bodyFor({ accountFilter, prompt, model: _, ...body }: Json): Json {
  return {
    ...body,
    ...(prompt !== undefined && { prompt: typeof prompt === 'string' ? withoutModes(prompt) : prompt }),
    ...(accountFilter !== undefined && option('MjAccountFilterEnabled') && { accountFilter }),
  }
}

const withoutModes = (prompt: string) =>
  option('MjModeClearEnabled') ? prompt.replace(/\s*--(?:fast|relax|turbo)\b/gi, '').trim() : prompt

/** `mj_imagine@turbo` where that has a price. */
function priceNameOf(model: string, mode: string | undefined): string {
  const own = `${model}@${mode?.replace(/^mj-/, '')}`
  return mode && hasTaskPrice(own) ? own : model
}

const pictures = new Set(['base64', 'base64Array', 'maskBase64', 'mask', 'image', 'sourceBase64', 'targetBase64'])

const withoutPictures = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !pictures.has(name)))
