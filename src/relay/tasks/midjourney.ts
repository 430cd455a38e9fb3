/** Paths of Midjourney Proxy: drawings are submitted, and fetched from our own table. */
import { midjourneyFormat } from '../../formats/midjourney/index.ts'
import { readAccepted, writeAnswer } from '../../formats/midjourney/submit-answer.ts'
import type { SubmitKind } from '../../formats/midjourney/wire.ts'
import { type Json, parseObject } from '../../pure/json.ts'
import { idOf } from '../../web/request.ts'
import type { ApiRoute, RelayContext } from '../endpoint.ts'
import type { ErrorFormatFor } from '../errors/error-format.ts'
import { headersFor } from '../errors/explain.ts'
import { notFound } from '../errors/not-found.ts'
import type { AcceptedTask } from './accept.ts'
import { fetchDrawing, listDrawings, showSeed } from './drawing-look-ups.ts'
import { showPicture } from './drawing-picture.ts'
import { checkDrawing, drawingDetails, drawingOrigin } from './drawing-request.ts'
import { submitTask, type TaskAnswer, type TaskEndpoint } from './submit.ts'

const errorFormat = midjourneyFormat('imagine')
export const midjourneyErrors: ErrorFormatFor = () => errorFormat

const route = (
  method: ApiRoute['method'],
  path: ApiRoute['path'],
  handle: NonNullable<ApiRoute['handle']>,
  asked: Pick<ApiRoute, 'operation' | 'endpoint'> = {},
): ApiRoute => ({
  ...{ method, path, errors: midjourneyErrors, ...asked, key_header: 'mj-api-secret' },
  handle: context => (isMode(context.params.mode) ? handle(context) : notFound(context.request)),
})

/** The mode before the path: `mj-fast`, `mj-relax`, `mj-turbo` and any that an upstream adds. */
const isMode = (mode: string | undefined) => mode === undefined || /^[\w-]{1,20}$/.test(mode)

const submitRoute = (kind: SubmitKind, path: ApiRoute['path']): ApiRoute => {
  const format = midjourneyFormat(kind)
  const endpoint = ({ params }: RelayContext) => endpointOf(kind, format, params.mode)
  return route('POST', path, context => submit(context, endpoint(context)), {
    ...{ operation: `drawing_${kind}`, endpoint },
  })
}

export const midjourneyRoutes: readonly ApiRoute[] = [
  submitRoute('imagine', '/mj/submit/imagine'),
  submitRoute('change', '/mj/submit/change'),
  submitRoute('simple_change', '/mj/submit/simple-change'),
  submitRoute('describe', '/mj/submit/describe'),
  submitRoute('blend', '/mj/submit/blend'),
  submitRoute('action', '/mj/submit/action'),
  submitRoute('modal', '/mj/submit/modal'),
  submitRoute('shorten', '/mj/submit/shorten'),
  submitRoute('upload', '/mj/submit/upload-discord-images'),
  submitRoute('edits', '/mj/submit/edits'),
  submitRoute('video', '/mj/submit/video'),
  submitRoute('swap_face', '/mj/insight-face/swap'),
  route('GET', '/mj/task/:id/fetch', fetchDrawing),
  route('GET', '/mj/task/:id/image-seed', showSeed),
  route('POST', '/mj/task/list-by-condition', listDrawings),
  route('GET', '/mj/image/:id', showPicture),
]

const endpointOf = (kind: SubmitKind, format: TaskEndpoint['format'], mode: string | undefined): TaskEndpoint => ({
  ...{ platform: 'midjourney', operation: `drawing_${kind}`, action: kind, format },
  check: call => checkDrawing(call, kind),
  originOf: call => drawingOrigin(call, kind),
  detailsOf: (call, origin) => drawingDetails(call, { kind, mode, origin }),
  acceptanceOf,
})

/** What the playground submits. */
export const imagine = endpointOf('imagine', errorFormat, undefined)

function acceptanceOf(response: TaskAnswer, action: string): AcceptedTask {
  const answer = answerIn(response)
  const { is_charged, ...state } = readAccepted(action, answer)
  return { ...state, upstream_id: response.facts.id!, answer, is_free: !is_charged }
}

const answerIn = ({ bytes }: TaskAnswer): Json => (bytes && parseObject(new TextDecoder().decode(bytes))) || {}

async function submit(context: RelayContext, endpoint: TaskEndpoint): Promise<Response> {
  const { task, accepted } = await submitTask(context, endpoint)
  return Response.json(writeAnswer(task.action, accepted.answer!), { headers: headersFor(idOf(context.request)) })
}
