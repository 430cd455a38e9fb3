/** Paths of videos in the forms of Kling and Jimeng, over any channel of videos. */
import { Refusal } from '../../contracts/refusal.ts'
import { isFinal, type TaskStatus } from '../../contracts/task.ts'
import { jimengVideos } from '../../formats/jimeng-videos/index.ts'
import { textOf } from '../../formats/json/lenient-json.ts'
import { klingVideos } from '../../formats/kling-videos/index.ts'
import { klingAnswer } from '../../formats/kling-videos/write-task.ts'
import { shownStatus } from '../../formats/shown-status.ts'
import { BodyShare } from '../../web/body-budget.ts'
import { idOf } from '../../web/request.ts'
import type { ApiRoute, RelayContext } from '../endpoint.ts'
import type { ErrorFormatFor } from '../errors/error-format.ts'
import { headersFor } from '../errors/explain.ts'
import { authenticate } from '../request/authenticate.ts'
import { readJsonOf } from '../request/read-request.ts'
import { ownVideo } from './own-video.ts'
import { submitTask } from './submit.ts'
import { videoEndpoint } from './video-endpoint.ts'
import { videoUrl } from './video-url.ts'

export const klingErrors: ErrorFormatFor = () => klingVideos
export const jimengErrors: ErrorFormatFor = () => jimengVideos

const kling = videoEndpoint(klingVideos)
const jimeng = videoEndpoint(jimengVideos)

const klingPaths = ['text2video', 'image2video', 'omni-video'] as const

export const makerVideoRoutes: readonly ApiRoute[] = [
  ...klingPaths.flatMap((name): ApiRoute[] => [
    {
      ...{ method: 'POST', path: `/kling/v1/videos/${name}`, errors: klingErrors, operation: 'videos' },
      ...{ endpoint: () => kling, handle: submitKling },
    },
    { method: 'GET', path: `/kling/v1/videos/${name}/:id`, errors: klingErrors, handle: retrieveKling },
  ]),
  {
    ...{ method: 'POST', path: '/jimeng/', errors: jimengErrors, operation: 'videos', handle: byAction },
    endpoint: context => (actionIn(context) === JIMENG_SUBMIT ? jimeng : undefined),
  },
]

const JIMENG_SUBMIT = 'CVSync2AsyncSubmitTask'

/** The query names what is done. */
const actionIn = ({ request }: RelayContext) => new URL(request.url).searchParams.get('Action')

async function submitKling(context: RelayContext): Promise<Response> {
  const { task } = await submitTask(context, kling)
  return respond(context, klingAnswer(task, undefined, idOf(context.request)))
}

async function retrieveKling(context: RelayContext): Promise<Response> {
  const task = await ownVideo(context)
  return respond(context, klingAnswer(task, videoUrl(context, task), idOf(context.request)))
}

async function byAction(context: RelayContext): Promise<Response> {
  const action = actionIn(context)
  if (action === JIMENG_SUBMIT) {
    const { task } = await submitTask(context, jimeng)
    return jimengAnswer(context, { task_id: task.task_id })
  }
  const { user } = await authenticate(context)
  if (action !== 'CVSync2AsyncGetResult') throw new Refusal('relay.field_wrong', { field: 'Action' }, 400, 'Action')
  using share = new BodyShare(`user ${user.id}`)
  const { task_id } = await readJsonOf(context.request, share)
  const task = await ownVideo(context, textOf(task_id))
  if (task.status === 'FAILURE') throw new Refusal('relay.task_unsuccessful', {}, 400, 'task_id')
  return jimengAnswer(context, { status: jimengStatus(task.status), video_url: videoUrl(context, task) ?? '' })
}

function jimengStatus(status: TaskStatus) {
  if (isFinal(status)) return 'done'
  return shownStatus(status) === 'IN_PROGRESS' ? 'generating' : 'in_queue'
}

const OK = 10_000

const jimengAnswer = (context: RelayContext, data: object) =>
  respond(context, { code: OK, message: 'Success', request_id: idOf(context.request), data })

const respond = ({ request }: RelayContext, body: unknown) =>
  Response.json(body, { headers: headersFor(idOf(request)) })
