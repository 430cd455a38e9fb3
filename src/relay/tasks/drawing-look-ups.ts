/** Looks drawings up for their owner: from our own table, the seed alone at the upstream. */
import { ChannelStatus } from '../../contracts/channel.ts'
import { TASK_IDS_MAX } from '../../contracts/task.ts'
import { option } from '../../domain/options/index.ts'
import { channelById, configOf, routeOfChannel, sendBeside } from '../../domain/routing/index.ts'
import { isHeldUnder } from '../../domain/stored-objects/index.ts'
import { pictureAddressOf, type TaskRow, tasksByUpstreamId } from '../../domain/tasks/index.ts'
import { refusal } from '../../formats/midjourney/api-error.ts'
import { midjourneyTask } from '../../formats/midjourney/write-task.ts'
import { NetworkError, readBody } from '../../net/upstream-fetch.ts'
import { now_ms } from '../../process/clock.ts'
import { imageSeed, providerOf } from '../../providers/index.ts'
import { type Json, parseObject } from '../../pure/json.ts'
import { BodyShare } from '../../web/body-budget.ts'
import { idOf, siteOf } from '../../web/request.ts'
import type { RelayContext } from '../endpoint.ts'
import { faultOfNetworkError, unusableResponse } from '../errors/classify-error.ts'
import { headersFor } from '../errors/explain.ts'
import { admit } from '../request/admit.ts'
import { authenticate } from '../request/authenticate.ts'
import { readJsonOf } from '../request/read-request.ts'
import { channelDisabled, inMakersWords } from './origin-task.ts'

export async function fetchDrawing(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  return answer(context, written(context, await drawingOf(user.id, context.params.id!)))
}

export async function listDrawings(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  using share = new BodyShare(`user ${user.id}`)
  const { ids } = await readJsonOf(context.request, share)
  if (!isIds(ids)) throw inMakersWords(refusal('ids_is_invalid'))
  const found = await tasksByUpstreamId({ user_id: user.id, platform: 'midjourney' }, ids)
  return answer(
    context,
    found.map(task => written(context, task)),
  )
}

const isIds = (ids: unknown): ids is string[] =>
  Array.isArray(ids) && ids.length <= TASK_IDS_MAX && ids.every(id => typeof id === 'string')

const answer = ({ request }: RelayContext, data: unknown) => Response.json(data, { headers: headersFor(idOf(request)) })

/** @throws Fault in Midjourney Proxy's words */
async function drawingOf(user_id: number, id: string): Promise<TaskRow> {
  const [task] = await tasksByUpstreamId({ user_id, platform: 'midjourney' }, [id])
  if (!task) throw inMakersWords(refusal('task_not_found'))
  return task
}

/** A picture that changes has another address each time. */
function written({ request, server }: RelayContext, task: TaskRow) {
  const own = midjourneyTask(task)
  if (!own.imageUrl || !option('MjForwardUrlEnabled')) return own
  const address = pictureAddressOf(task, siteOf(request, server))
  return { ...own, imageUrl: task.status === 'SUCCESS' ? address : `${address}&rand=${now_ms()}` }
}

const SEED_TIMEOUT_MS = 30_000
const SEED_BYTES_MAX = 65_536

export async function showSeed(context: RelayContext): Promise<Response> {
  const caller = await authenticate(context)
  using slots = await admit(caller, context.request)
  const seed = await seedOf(await drawingOf(caller.user.id, context.params.id!))
  slots.release(true)
  return answer(context, seed)
}

/** @throws Fault when the channel is disabled, its key gone, or its answer none */
async function seedOf(task: TaskRow): Promise<Json> {
  const channel = await channelById(task.channel_id)
  const key = channel?.good_keys.find(key => isHeldUnder(task, key))
  if (!channel || key === undefined || channel.status !== ChannelStatus.enabled) throw inMakersWords(channelDisabled)
  const config = configOf(channel, key)
  const request = imageSeed(config, task.upstream_id)
  const abort = new AbortController()
  const sender = {
    url: request.url,
    provider: providerOf(channel.type)!,
    config,
    route: routeOfChannel(channel),
    abort,
  }
  try {
    const response = await sendBeside(request, sender, SEED_TIMEOUT_MS)
    const bytes = await readBody(response, abort, { max_bytes: SEED_BYTES_MAX, body_ms: SEED_TIMEOUT_MS })
    const told = parseObject(new TextDecoder().decode(bytes))
    if (typeof told?.code !== 'number') throw unusableResponse()
    return { code: told.code, description: told.description ?? '', result: told.result ?? null }
  } catch (error) {
    throw error instanceof NetworkError ? faultOfNetworkError(error) : error
  }
}
