/**
 * Opens a file of a task at its maker, by the proxy of its channel. Addresses are guarded; the key that made the file goes
 * along only where the maker demands it.
 */
import { Refusal } from '../../contracts/refusal.ts'
import type { TaskFile } from '../../contracts/task.ts'
import { NetworkError, upstreamFetch } from '../../net/upstream-fetch.ts'
import { type FileLocation, type FileVariant, usualLocation } from '../../providers/index.ts'
import { carryOut, channelById, routeOfChannel, sendBeside } from '../routing/index.ts'
import type { TaskRow } from './table.ts'
import { makerOf } from './video-maker.ts'

/** Until the head of the response. */
const HEAD_TIMEOUT_MS = 60_000
const REDIRECTS_MAX = 3

interface FileRequest {
  abort: AbortController
  /** Of bytes, as the header has it. */
  range?: string
}

type Send = (url: string, headers: Record<string, string>) => Promise<Response>

/**
 * @returns the response with its body unread; undefined where the channel of the task, or its key, is gone
 * @throws NetworkError, CredentialRefused, Refusal 404 for a file that the maker has not
 */
export async function openFile(task: TaskRow, file: TaskFile, { abort, range }: FileRequest) {
  const opened = task.platform === 'video' ? await ofVideo(task, file, abort) : await ofOther(task, file, abort)
  return opened && followed(opened, range)
}

interface FileSender {
  url: string
  send: Send
}

async function ofOther({ channel_id }: TaskRow, { url }: TaskFile, abort: AbortController): Promise<FileSender> {
  const channel = await channelById(channel_id)
  const route = { ...(channel && routeOfChannel(channel)), guarded: true }
  if (!url) throw missing()
  return { url, send: guarded(route, abort) }
}

const guarded =
  (route: ReturnType<typeof routeOfChannel>, abort: AbortController): Send =>
  (url, headers) =>
    upstreamFetch(
      {
        ...{ url, headers: { 'accept-encoding': 'identity', ...headers }, body: '', method: 'GET' },
        ...route,
        guarded: true,
        passes_redirects: true,
      },
      abort,
      HEAD_TIMEOUT_MS,
    )

async function ofVideo(task: TaskRow, { name }: TaskFile, abort: AbortController): Promise<FileSender | undefined> {
  const maker = await makerOf(task, abort)
  if (!maker) return undefined
  const { video, sender } = maker
  const { locate = usualLocation } = video
  const source = { id: task.upstream_id, config: sender.config, variant: name as FileVariant }
  const located = locate(task.result as Parameters<typeof locate>[0], source)
  const { url, with_key, is_of_maker }: FileLocation = 'next' in located ? await carryOut(located, sender) : located
  if (!url) throw missing()
  if (!with_key) return { url, send: guarded(sender.route, abort) }
  const own = is_of_maker ? { ...sender, url } : sender
  const send: Send = (next, headers) => sendBeside({ url: next, headers, passes_redirects: true }, own, HEAD_TIMEOUT_MS)
  return { url, send }
}

const missing = () => new Refusal('relay.file_unavailable', {}, 404, 'variant')

/** Follows redirects, each to a guarded address, and each without the key where it leads to another host. */
async function followed({ url, send }: FileSender, range: string | undefined): Promise<Response> {
  const headers: Record<string, string> = range ? { range } : {}
  let next = url
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const response = await send(next, headers)
    if (response.status < 300 || response.status >= 400) return response
    await response.body?.cancel()
    next = URL.parse(response.headers.get('location') ?? '', next)?.href ?? ''
  }
  throw new NetworkError('redirect')
}
