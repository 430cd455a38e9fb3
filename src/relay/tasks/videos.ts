/** Paths of videos in OpenAI's form, and in the older one of gateways: submitted, and read from our own table. */
import { Refusal } from '../../contracts/refusal.ts'
import { isFinal } from '../../contracts/task.ts'
import { deleteTask, type TaskRow, taskOf, taskPage } from '../../domain/tasks/index.ts'
import { objectOf, textOf } from '../../formats/json/lenient-json.ts'
import { openAiVideos, videoGenerations } from '../../formats/openai-videos/index.ts'
import { writeGeneration, writeVideo, writeVideoList } from '../../formats/openai-videos/write-video.ts'
import { sunoAnswer } from '../../formats/suno/write-task.ts'
import type { VideoRequest } from '../../formats/videos/request.ts'
import { fileUrl, type VideoResult } from '../../formats/videos/states.ts'
import type { Json } from '../../pure/json.ts'
import { idOf } from '../../web/request.ts'
import type { ReadCall } from '../call.ts'
import type { ApiRoute, RelayContext } from '../endpoint.ts'
import { type ErrorFormatFor, openAiErrors } from '../errors/error-format.ts'
import { headersFor } from '../errors/explain.ts'
import { authenticate } from '../request/authenticate.ts'
import type { OriginTask } from './origin-task.ts'
import { ownVideo } from './own-video.ts'
import { removeAtMaker } from './remove-video.ts'
import { submitTask, type TaskEndpoint } from './submit.ts'
import { videoContent } from './video-content.ts'
import { videoEndpoint } from './video-endpoint.ts'
import { videoUrl } from './video-url.ts'

export const generationErrors: ErrorFormatFor = () => videoGenerations

const create = videoEndpoint(openAiVideos)
const createGeneration = videoEndpoint(videoGenerations)

const at = (
  method: ApiRoute['method'],
  path: ApiRoute['path'],
  handle: ApiRoute['handle'],
  fields: Partial<ApiRoute> = {},
): ApiRoute => ({ method, path, errors: openAiErrors, handle, ...fields })

export const videoRoutes: readonly ApiRoute[] = [
  at('POST', '/v1/videos', submit, { operation: 'videos', endpoint: () => create }),
  at('GET', '/v1/videos', list),
  at('GET', '/v1/videos/:id', retrieve),
  at('DELETE', '/v1/videos/:id', remove),
  at('GET', '/v1/videos/:id/content', videoContent),
  at('POST', '/v1/videos/:id/remix', remix, { continues_task: true }),
  at('POST', '/v1/video/generations', submitGeneration, {
    ...{ operation: 'videos', endpoint: () => createGeneration, errors: generationErrors },
  }),
  at('GET', '/v1/video/generations/:id', retrieveGeneration, { errors: generationErrors }),
]

async function submit(context: RelayContext): Promise<Response> {
  const { task } = await submitTask(context, create)
  return answer(context, task)
}

/** Seconds after which a client asks again for a video that is not finished. */
const RETRY_AFTER_SECONDS = '10'

const waitingHeaders = ({ status }: TaskRow): Record<string, string> =>
  isFinal(status) ? {} : { 'retry-after': RETRY_AFTER_SECONDS }

const answer = (context: RelayContext, task: TaskRow) =>
  respond(context, writeVideo(task, videoUrl(context, task)), waitingHeaders(task))

const respond = ({ request }: RelayContext, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { headers: { ...headersFor(idOf(request)), ...headers } })

async function retrieve(context: RelayContext): Promise<Response> {
  return answer(context, await ownVideo(context))
}

const [LIMIT_USUAL, LIMIT_MAX] = [20, 100]

async function list(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  const owner = { user_id: user.id, platform: 'video' } as const
  const { limit, order, after_id } = pageIn(new URL(context.request.url).searchParams)
  const after = after_id === undefined ? undefined : await taskOf(owner, after_id)
  if (after_id !== undefined && !after) throw new Refusal('relay.task_not_exist', {}, 404, 'after')
  const found = await taskPage(owner, { limit: limit + 1, order, after })
  const data = found.slice(0, limit).map(task => writeVideo(task, videoUrl(context, task)))
  return respond(context, writeVideoList(data, found.length > limit))
}

function pageIn(query: URLSearchParams) {
  const limit = query.get('limit') ?? String(LIMIT_USUAL)
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > LIMIT_MAX) throw outside('limit')
  const order = query.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw outside('order')
  return { limit: Number(limit), order, after_id: query.get('after') ?? undefined } as const
}

const outside = (field: string) => new Refusal('relay.field_wrong', { field }, 400, field)

async function remove(context: RelayContext): Promise<Response> {
  const task = await ownVideo(context)
  if (!isFinal(task.status)) throw new Refusal('relay.task_unfinished', {}, 409, 'id')
  await removeAtMaker(task)
  await deleteTask(task)
  return respond(context, { id: task.task_id, object: 'video.deleted', deleted: true })
}

async function remix(context: RelayContext): Promise<Response> {
  const origin = await ownVideo(context)
  if (origin.status !== 'SUCCESS') throw new Refusal('relay.task_unsuccessful', {}, 400, 'id')
  const { task } = await submitTask(context, remixOf(origin))
  return answer(context, task)
}

/** The body is a prompt; all else is as the origin had it. */
function remixOf(origin: TaskRow): TaskEndpoint {
  const { model } = origin.input as unknown as VideoRequest
  const { url, needs_key } = objectOf<VideoResult>(origin.result)
  const remixed_url = needs_key ? undefined : fileUrl(url)
  return {
    ...create,
    ...{ model, operation: 'videos' },
    async originOf({ body }: ReadCall): Promise<OriginTask> {
      const remixed = { remixed_id: origin.upstream_id, remixed_url }
      return { ...origin, body: { ...origin.input, prompt: textOf(body.prompt), ...remixed } as Json }
    },
  }
}

async function submitGeneration(context: RelayContext): Promise<Response> {
  const { task } = await submitTask(context, createGeneration)
  return respond(context, { task_id: task.task_id, status: 'queued' })
}

async function retrieveGeneration(context: RelayContext): Promise<Response> {
  const task = await ownVideo(context, context.params.id!, 400)
  return respond(context, sunoAnswer(writeGeneration(task, videoUrl(context, task))), waitingHeaders(task))
}
