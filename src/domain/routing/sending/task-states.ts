/** Asks an upstream for the states of tasks, with the key that they were submitted with. */
import type { TaskPlatform } from '../../../contracts/task.ts'
import { NetworkError, readBody } from '../../../net/upstream-fetch.ts'
import { providerOf, type UpstreamApi } from '../../../providers/index.ts'
import { parsedOrUndefined } from '../../../pure/json.ts'
import type { RoutedChannel } from '../routed-channel.ts'
import { tokenFor } from './credential.ts'
import { configOf, routeOfChannel } from './request.ts'
import { sendBeside } from './side-requests.ts'

/** Of the whole response. */
const ASK_TIMEOUT_MS = 15_000
const RESPONSE_BYTES_MAX = 64 * 1_048_576

/** An API that answers with tasks. */
export interface TasksApi extends UpstreamApi {
  task: NonNullable<UpstreamApi['task']>
}

/**
 * The one by which the type of a channel asks for tasks.
 * @param platform any unless given
 * @returns undefined for a type without such tasks
 */
export const tasksApiOf = ({ type }: Pick<RoutedChannel, 'type'>, platform?: TaskPlatform): TasksApi | undefined =>
  Object.values(providerOf(type)?.apis ?? {}).find(
    (api): api is TasksApi => api.task !== undefined && (!platform || api.task.platform === platform),
  )

/** @throws NetworkError, CredentialRefused, or the reason of the abort */
export async function askStates(
  channel: RoutedChannel,
  { task, provider }: TasksApi,
  key: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  const route = routeOfChannel(channel)
  const own = configOf(channel, key)
  const config = { ...own, token: await tokenFor(provider!, own, route) }
  const request = task.ask(ids, config)
  const abort = new AbortController()
  const stop = () => abort.abort(signal!.reason)
  const timer = setTimeout(() => abort.abort(new NetworkError('timeout')), ASK_TIMEOUT_MS)
  signal?.addEventListener('abort', stop)
  try {
    const response = await sendBeside(
      request,
      { url: request.url, provider: provider!, config, route, abort },
      ASK_TIMEOUT_MS,
    )
    const bytes = await readBody(response, abort, { max_bytes: RESPONSE_BYTES_MAX, body_ms: ASK_TIMEOUT_MS })
    return { status: response.status, body: parsedOrUndefined(new TextDecoder().decode(bytes)) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
