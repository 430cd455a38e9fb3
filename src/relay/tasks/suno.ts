/** Paths of Suno-API: songs and lyrics are submitted, and fetched from our own table. */
import { TASK_IDS_MAX } from '../../contracts/task.ts'
import { option } from '../../domain/options/index.ts'
import { fileAddressOf, type TaskRow, taskOf, tasksOf } from '../../domain/tasks/index.ts'
import { objectsOf } from '../../formats/json/lenient-json.ts'
import { invalidAction, invalidIds, originUnfinished, requestFlaw, taskUnknown } from '../../formats/suno/api-error.ts'
import { suno } from '../../formats/suno/index.ts'
import type { SunoAction } from '../../formats/suno/wire.ts'
import { sunoAnswer, sunoTask, withUrls } from '../../formats/suno/write-task.ts'
import { BodyShare } from '../../web/body-budget.ts'
import { idOf, siteOf } from '../../web/request.ts'
import type { ReadCall } from '../call.ts'
import type { ApiRoute, RelayContext } from '../endpoint.ts'
import type { ErrorFormatFor } from '../errors/error-format.ts'
import { headersFor } from '../errors/explain.ts'
import { authenticate } from '../request/authenticate.ts'
import { readJsonOf } from '../request/read-request.ts'
import { inMakersWords, type OriginTask } from './origin-task.ts'
import { submitTask, type TaskEndpoint } from './submit.ts'

export const sunoErrors: ErrorFormatFor = () => suno

const endpointOf = (operation: 'music' | 'lyrics', action: SunoAction): TaskEndpoint => ({
  ...{ platform: 'suno', operation, action, format: suno, model: `suno_${operation}` },
  check: call => check(call, action),
  originOf: call => originOf(call, action),
})

export const music = endpointOf('music', 'MUSIC')
const endpoints = { music, lyrics: endpointOf('lyrics', 'LYRICS') }

const post = (
  path: ApiRoute['path'],
  handle: ApiRoute['handle'],
  asked: Pick<ApiRoute, 'operation' | 'endpoint'> = {},
): ApiRoute => ({ ...{ method: 'POST', path, errors: sunoErrors, handle }, ...asked })

const submitRoute = (operation: 'music' | 'lyrics') =>
  post(`/suno/submit/${operation}`, context => submit(context, endpoints[operation]), {
    ...{ operation, endpoint: () => endpoints[operation] },
  })

export const sunoRoutes: readonly ApiRoute[] = [
  submitRoute('music'),
  submitRoute('lyrics'),
  post('/suno/submit/:action', submitNamed, { endpoint: named }),
  post('/suno/fetch', fetchMany),
  { method: 'GET', path: '/suno/fetch/:id', errors: sunoErrors, handle: fetchOne },
]

async function submit(context: RelayContext, endpoint: TaskEndpoint): Promise<Response> {
  const { task } = await submitTask(context, endpoint)
  return answer(context, task.task_id)
}

/** Upstreams are sent the actions in capitals, and this gateway may be one. @returns undefined for an unknown action */
function named({ params }: RelayContext): TaskEndpoint | undefined {
  const name = params.action!.toLowerCase()
  return name === 'music' || name === 'lyrics' ? endpoints[name] : undefined
}

async function submitNamed(context: RelayContext): Promise<Response> {
  const endpoint = named(context)
  if (endpoint) return submit(context, endpoint)
  await authenticate(context)
  throw inMakersWords(invalidAction)
}

function check({ body }: ReadCall, action: SunoAction) {
  const flaw = requestFlaw(body, action)
  if (flaw) throw inMakersWords(flaw)
}

/** A continuation belongs to the task that made its song. @throws Fault in Suno-API's words */
async function originOf({ body, user_id }: ReadCall, action: SunoAction): Promise<OriginTask | undefined> {
  const { task_id, continue_clip_id } = body
  if (action !== 'MUSIC' || !continue_clip_id) return undefined
  const task = await taskOf({ user_id, platform: 'suno' }, task_id as string)
  if (!task) throw inMakersWords(taskUnknown)
  if (task.status !== 'SUCCESS') throw inMakersWords(originUnfinished)
  if (!hasSong(task, continue_clip_id)) throw inMakersWords(taskUnknown)
  return { ...task, body: { ...body, task_id: task.upstream_id } }
}

const hasSong = ({ result }: TaskRow, id: unknown) => objectsOf<{ id: string }>(result).some(song => song.id === id)

async function fetchOne(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  const task = await taskOf({ user_id: user.id, platform: 'suno' }, context.params.id!)
  if (!task) throw inMakersWords(taskUnknown)
  return answer(context, written(context, task))
}

async function fetchMany(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  using share = new BodyShare(`user ${user.id}`)
  const { ids } = await readJsonOf(context.request, share)
  if (!isIds(ids)) throw inMakersWords(invalidIds)
  const found = await tasksOf({ user_id: user.id, platform: 'suno' }, ids)
  return answer(
    context,
    found.map(task => written(context, task)),
  )
}

/** Addresses of copies stand in place of the maker's, which end sooner. */
function written({ request, server }: RelayContext, task: TaskRow) {
  const { kept } = task
  if (!kept) return sunoTask(task)
  const site = option('ServerAddress') || siteOf(request, server)
  const urls = Object.fromEntries(kept.map(({ name }) => [name, site + fileAddressOf(task, name)]))
  return sunoTask({ ...task, result: withUrls(task.result, urls) })
}

const isIds = (ids: unknown): ids is string[] =>
  Array.isArray(ids) && ids.length <= TASK_IDS_MAX && ids.every(id => typeof id === 'string')

const answer = ({ request }: RelayContext, data: unknown) =>
  Response.json(sunoAnswer(data), { headers: headersFor(idOf(request)) })
