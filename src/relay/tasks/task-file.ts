/** Files of tasks, for their owner alone: with a key, a session, or an address that this site has signed. */
import { Refusal } from '../../contracts/refusal.ts'
import type { TaskFile } from '../../contracts/task.ts'
import { CredentialRefused } from '../../domain/routing/index.ts'
import { filesOf, isFileAddress, openFile, type TaskRow, taskOf, taskOfAnyone } from '../../domain/tasks/index.ts'
import { isEnabled } from '../../domain/users/index.ts'
import { NetworkError } from '../../net/upstream-fetch.ts'
import { dataIn } from '../../providers/index.ts'
import { idOf } from '../../web/request.ts'
import { hasSessionCookie } from '../../web/session-cookie.ts'
import type { ApiRoute, RelayContext } from '../endpoint.ts'
import { faultOfNetworkError, unusableResponse } from '../errors/classify-error.ts'
import { openAiErrors } from '../errors/error-format.ts'
import { headersFor } from '../errors/explain.ts'
import { sessionRequired } from '../request/access-rules.ts'
import { authenticate, carriesKey } from '../request/authenticate.ts'
import { findSession } from '../request/find-session.ts'
import { describedFile, keptFile, ofBytes, passedHeaders, pictureIn, streamed, unfit } from './file-response.ts'
import { channelDisabled, inMakersWords } from './origin-task.ts'

export const fileRoutes: readonly ApiRoute[] = [
  { method: 'GET', path: '/v1/tasks/:id/files/:name', errors: openAiErrors, handle: showFile },
]

/** @throws Refusal 404 for an unknown task, and for a file that it has not */
async function showFile(context: RelayContext): Promise<Response> {
  const { id = '', name = '' } = context.params
  const task = await taskFor(context, id, name)
  const file = task && filesOf(task).find(file => file.name === name)
  if (!file) throw new Refusal('relay.file_unavailable', {}, 404, 'name')
  return fileResponse(context, task, file)
}

/** @param name of the file, whose address may be signed. @returns undefined for an unknown id, and another user's */
export async function taskFor(context: RelayContext, id: string, name: string): Promise<TaskRow | undefined> {
  const query = new URL(context.request.url).searchParams
  if (isFileAddress(id, name, query)) return taskOfAnyone(id)
  return taskOf({ user_id: await ownerFor(context) }, id)
}

/** A page shows files without headers of its own. @throws Refusal 401 */
export async function ownerFor(context: RelayContext): Promise<number> {
  if (carriesKey(context) || !hasSessionCookie(context.request)) return (await authenticate(context)).user.id
  const found = await findSession(context.request)
  if (!found || !isEnabled(found.user)) throw sessionRequired()
  return found.user.id
}

/** The copy of a file, else the maker's. @throws Refusal 404, Fault 502 for what is no file of its kind */
export async function fileResponse(context: RelayContext, task: TaskRow, file: TaskFile): Promise<Response> {
  const own = headersFor(idOf(context.request))
  const kept = task.kept?.find(({ name }) => name === file.name)
  if (kept) return keptFile(context, task, kept, own)
  const data = dataIn(file)
  if (data) return ofBytes(context.request, task, file, { ...data, own })
  const abort = new AbortController()
  context.request.signal.addEventListener('abort', () => abort.abort())
  try {
    return await ofMaker(context, task, { file, own, abort })
  } catch (error) {
    abort.abort()
    if (error instanceof CredentialRefused) throw unusableResponse()
    throw error instanceof NetworkError ? faultOfNetworkError(error) : error
  }
}

interface MakersFile {
  file: TaskFile
  own: Record<string, string>
  abort: AbortController
}

const RANGE_UNFIT = 416

async function ofMaker(context: RelayContext, task: TaskRow, { file, own, abort }: MakersFile): Promise<Response> {
  const { kind } = file
  const isPicture = kind === 'image'
  const range = isPicture ? undefined : (context.request.headers.get('range') ?? undefined)
  const response = await openFile(task, file, { abort, range })
  if (!response) throw inMakersWords(channelDisabled)
  const { status, headers } = response
  if (status === RANGE_UNFIT && range) {
    abort.abort()
    return unfit(own, headers.get('content-range'))
  }
  if (!response.ok) throw unusableResponse()
  if (isPicture) return ofBytes(context.request, task, file, { ...(await pictureIn(response, abort)), own })
  const { type, body } = await streamed(response, { context, user_id: task.user_id, kind, abort })
  const described = { ...own, ...passedHeaders(headers), ...describedFile(task, file, type) }
  return new Response(body, { status, headers: described })
}
