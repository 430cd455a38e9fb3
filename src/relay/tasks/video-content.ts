/** The file of a video: streamed from its maker, for its owner alone. */
import { Refusal } from '../../contracts/refusal.ts'
import { CredentialRefused, carryOut, type Sender, sendBeside } from '../../domain/routing/index.ts'
import type { TaskRow } from '../../domain/tasks/index.ts'
import { isDataUrl } from '../../formats/videos/request.ts'
import type { VideoResult } from '../../formats/videos/states.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { type FileLocation, type FileVariant, usualLocation } from '../../providers/index.ts'
import { idOf } from '../../web/request.ts'
import type { RelayContext } from '../endpoint.ts'
import { unusableResponse } from '../errors/classify-error.ts'
import { headersFor } from '../errors/explain.ts'
import { channelDisabled, inMakersWords } from './origin-task.ts'
import { ownVideo } from './own-video.ts'
import { dataResponse, fileHeaders, isFileType, streamed } from './video-file.ts'
import { makerOf, type VideoMaker } from './video-maker.ts'

/** Until the head of the response. */
const HEAD_TIMEOUT_MS = 60_000
const REDIRECTS_MAX = 3

const variants = new Set<string>(['video', 'thumbnail', 'spritesheet'])

/** @throws Refusal 404 for an unknown video or file, 400 for an unfinished video; Fault 502 */
export async function videoContent(context: RelayContext): Promise<Response> {
  const task = await ownVideo(context)
  const variant = new URL(context.request.url).searchParams.get('variant') || 'video'
  if (!variants.has(variant)) throw new Refusal('relay.field_wrong', { field: 'variant' }, 400, 'variant')
  if (task.status === 'FAILURE') throw new Refusal('relay.task_unsuccessful', {}, 400, 'id')
  if (task.status !== 'SUCCESS') throw new Refusal('relay.task_unfinished', {}, 400, 'id')
  const { url = '' } = task.result as VideoResult
  const own = headersFor(idOf(context.request))
  if (variant === 'video' && isDataUrl(url)) return dataResponse(context.request, url, own)
  const abort = new AbortController()
  context.request.signal.addEventListener('abort', () => abort.abort())
  const response = await fileOf(task, variant as FileVariant, context.request, abort)
  return new Response(streamed(response, abort, context, task.user_id), {
    status: response.status,
    headers: { ...own, ...fileHeaders(response.headers, task.task_id) },
  })
}

/** The response of the maker, or of where it keeps its files. */
async function fileOf(task: TaskRow, variant: FileVariant, { headers }: Request, abort: AbortController) {
  try {
    const maker = await makerOf(task, abort)
    if (!maker) throw inMakersWords(channelDisabled)
    const location = await locationOf(maker, task, variant)
    const range = headers.get('range')
    const response = await openFile(location, maker.sender, range ? { range } : {})
    if (response.status !== RANGE_UNFIT && !(response.ok && isFileType(response.headers))) throw unusableResponse()
    return response
  } catch (error) {
    abort.abort()
    if (error instanceof NetworkError || error instanceof CredentialRefused) throw unusableResponse()
    throw error
  }
}

const RANGE_UNFIT = 416

async function locationOf({ video, sender }: VideoMaker, task: TaskRow, variant: FileVariant): Promise<FileLocation> {
  const { locate = usualLocation } = video
  const source = { id: task.upstream_id, config: sender.config, variant }
  const located = locate(task.result as VideoResult, source)
  const location = 'next' in located ? await carryOut(located, sender) : located
  if (!location.url) throw new Refusal('relay.file_unavailable', {}, 404, 'variant')
  return location
}

/** Follows redirects, each to a guarded address, and each without the key where it leads to another host. */
async function openFile({ url, with_key }: FileLocation, sender: Sender, headers: Record<string, string>) {
  const own = with_key ? sender : { ...sender, url: 'none:' }
  let next = url!
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const response = await sendBeside({ url: next, headers, passes_redirects: true }, own, HEAD_TIMEOUT_MS)
    if (response.status < 300 || response.status >= 400) return response
    await response.body?.cancel()
    next = new URL(response.headers.get('location') ?? '', next).href
  }
  throw new NetworkError('redirect')
}
