/** Tasks of the playground: submitted and looked up with the session of the console, in the group that the query names. */
import type { MadeFile, MadeTask } from '../../contracts/playground.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { fileAddressOf, filesOf, type TaskRow, taskOfAnyone } from '../../domain/tasks/index.ts'
import { objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import { openAiVideos } from '../../formats/openai-videos/index.ts'
import { idOf } from '../../web/request.ts'
import type { ApiRoute, RelayContext } from '../endpoint.ts'
import { openAiErrors } from '../errors/error-format.ts'
import { headersFor } from '../errors/explain.ts'
import { relayPlayground } from '../playground.ts'
import { authenticateSession } from '../request/authenticate-session.ts'
import { imagine } from './midjourney.ts'
import { answeredBy, pictureTask } from './pictures.ts'
import { submitTask, type TaskEndpoint } from './submit.ts'
import { music } from './suno.ts'
import { videoEndpoint } from './video-endpoint.ts'

const route = (method: ApiRoute['method'], path: ApiRoute['path'], handle: ApiRoute['handle']): ApiRoute => ({
  ...{ method, path, errors: openAiErrors, by_session: true, handle },
})

const submitAt = (path: ApiRoute['path'], endpoint: TaskEndpoint) =>
  route('POST', path, async context => answer(context, (await submitTask(context, endpoint)).task))

export const playgroundTaskRoutes: readonly ApiRoute[] = [
  submitAt('/pg/tasks/drawings', imagine),
  route('POST', '/pg/tasks/pictures', context => relayPlayground(context, pictureTask, answeredBy(answer))),
  submitAt('/pg/tasks/music', music),
  submitAt('/pg/tasks/videos', videoEndpoint(openAiVideos)),
  route('GET', '/pg/tasks/:id', look),
]

/** @throws Refusal 404 for an unknown id, and for that of another user */
async function look(context: RelayContext): Promise<Response> {
  const { user } = await authenticateSession(context)
  const task = await taskOfAnyone(context.params.id!)
  if (task?.user_id !== user.id || task.deleted_ms) throw new Refusal('relay.task_not_exist', {}, 404, 'id')
  return answer(context, task)
}

function answer({ request }: RelayContext, task: TaskRow): Response {
  const { task_id: id, status, progress, fail_reason, charged, refunded } = task
  const made: MadeTask = { id, status, progress, fail_reason, charged, refunded, files: madeFiles(task), text: '' }
  const [lyrics] = objectsOf<{ text: string }>([task.result])
  if (task.platform === 'suno') made.text = textOf(lyrics?.text)
  return Response.json(made, { headers: { ...headersFor(idOf(request)), 'cache-control': 'no-store' } })
}

const madeFiles = (task: TaskRow): MadeFile[] =>
  filesOf(task).map(({ name, kind }) => ({ kind, url: fileAddressOf(task, name) }))
