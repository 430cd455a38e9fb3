/** The picture of a drawing, fetched for its owner: with a key, a session, or an address that this site has signed. */
import { findSession } from '../../domain/account/index.ts'
import { channelById, routeOfChannel } from '../../domain/routing/index.ts'
import { isFileAddress, type TaskRow, taskOf, taskOfAnyone, tasksByUpstreamId } from '../../domain/tasks/index.ts'
import { isEnabled } from '../../domain/users/index.ts'
import { objectOf, textOf } from '../../formats/json/lenient-json.ts'
import { imageTypeOf } from '../../formats/media/image-type.ts'
import { refusal } from '../../formats/midjourney/api-error.ts'
import { NetworkError, readBody, upstreamFetch } from '../../net/upstream-fetch.ts'
import { idOf } from '../../web/request.ts'
import { hasSessionCookie, readCookie } from '../../web/session-cookie.ts'
import type { RelayContext } from '../endpoint.ts'
import { faultOfNetworkError, unusableResponse } from '../errors/classify-error.ts'
import { sessionRequired } from '../request/access-rules.ts'
import { authenticate, carriesKey } from '../request/authenticate.ts'
import { inMakersWords } from './origin-task.ts'

const MAX_BYTES = 64 * 1_048_576
const HEAD_TIMEOUT_MS = 30_000
const BODY_TIMEOUT_MS = 60_000

/** @throws Fault 404 for an unknown drawing, and one without a picture; 502 for what is none */
export async function showPicture(context: RelayContext): Promise<Response> {
  const task = await taskFor(context)
  const url = textOf(objectOf<{ imageUrl: string }>(task?.result).imageUrl)
  if (!task || !url) throw inMakersWords({ ...refusal('task_not_found'), status: 404 })
  const bytes = await fetchPicture(task, url)
  const type = imageTypeOf(bytes)
  if (!type) throw unusableResponse()
  return new Response(bytes, { headers: headersOf(task, type, idOf(context.request)) })
}

async function taskFor(context: RelayContext): Promise<TaskRow | undefined> {
  const { request, params } = context
  const id = params.id!
  if (isFileAddress(id, 'image', new URL(request.url).searchParams)) return ofMidjourney(await taskOfAnyone(id))
  const user_id = await ownerFor(context)
  const owned = { user_id, platform: 'midjourney' as const }
  const [task] = await tasksByUpstreamId(owned, [id])
  return task ?? taskOf(owned, id)
}

const ofMidjourney = (task: TaskRow | undefined) => (task?.platform === 'midjourney' ? task : undefined)

/** A page shows pictures without headers of its own. */
async function ownerFor(context: RelayContext): Promise<number> {
  if (carriesKey(context) || !hasSessionCookie(context.request)) return (await authenticate(context)).user.id
  const claims = await readCookie(context.request)
  const found = claims && (await findSession(claims))
  if (!found || !isEnabled(found.user)) throw sessionRequired()
  return found.user.id
}

/** By the channel's proxy; an address of the own network is none. @throws Fault */
async function fetchPicture({ channel_id }: TaskRow, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const channel = await channelById(channel_id)
  const route = { ...(channel && routeOfChannel(channel)), guarded: true }
  const headers = { accept: 'image/*', 'accept-encoding': 'identity' }
  const abort = new AbortController()
  try {
    const response = await upstreamFetch({ url, headers, body: '', method: 'GET', ...route }, abort, HEAD_TIMEOUT_MS)
    if (!response.ok || !isPicture.test(response.headers.get('content-type') ?? '')) {
      abort.abort()
      throw unusableResponse()
    }
    return await readBody(response, abort, { max_bytes: MAX_BYTES, body_ms: BODY_TIMEOUT_MS })
  } catch (error) {
    throw error instanceof NetworkError ? faultOfNetworkError(error) : error
  }
}

const isPicture = /^(?:image\/|application\/octet-stream|binary\/octet-stream)/i

const headersOf = ({ task_id, status }: TaskRow, type: string, request_id: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `inline; filename="${task_id}.${type.slice('image/'.length)}"`,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'x-request-id': request_id,
  // A picture that is being drawn changes.
  'cache-control': status === 'SUCCESS' ? 'private, max-age=86400' : 'no-store',
})
