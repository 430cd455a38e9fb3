/** Queries providers for models and balances. A stored key is only sent to its channel's base URL. */
import { createHash } from 'node:crypto'
import { Role, type SessionUser } from '../../../contracts/account.ts'
import type { UnsavedChannel } from '../../../contracts/channel.ts'
import { notFound, Refusal } from '../../../contracts/refusal.ts'
import { guardedFetch } from '../../../net/guarded-fetch.ts'
import type { OutgoingRoute } from '../../../net/tunnel.ts'
import { NetworkError, readBody, upstreamFetch } from '../../../net/upstream-fetch.ts'
import {
  type Provider,
  providerOf,
  type UpstreamConfig,
  type UpstreamQuery,
  variantOf,
} from '../../../providers/index.ts'
import { parsedOrUndefined } from '../../../pure/json.ts'
import {
  CredentialRefused,
  channelById,
  configOf,
  type RoutedChannel,
  routeOfChannel,
  tokenFor,
} from '../../routing/index.ts'
import { withUnsaved } from './unsaved.ts'

/** For the response head, and again for the body. */
const QUERY_TIMEOUT_MS = 15_000
const RESPONSE_BYTES_MAX = 8 * 1_048_576

/** How a URL is fetched: root reaches any address, administrators only public ones. */
type Get = (url: string, headers: Record<string, string>) => Promise<{ status: number; bytes: Uint8Array }>

export const getFor = ({ role }: Pick<SessionUser, 'role'>, channel?: RoutedChannel): Get =>
  role >= Role.root ? direct(channel) : publicOnly

const publicOnly: Get = (url, headers) =>
  guardedFetch(url, { headers, max_bytes: RESPONSE_BYTES_MAX, ms: QUERY_TIMEOUT_MS })

/** By the channel's own route. */
export const direct =
  (channel?: RoutedChannel): Get =>
  async (url, headers) => {
    const abort = new AbortController()
    try {
      const route = { proxy: channel?.setting.proxy, guarded: channel?.guarded }
      const request = { url, headers, body: '', method: 'GET', ...route } as const
      const response = await upstreamFetch(request, abort, QUERY_TIMEOUT_MS)
      const bytes = await readBody(response, abort, { max_bytes: RESPONSE_BYTES_MAX, body_ms: QUERY_TIMEOUT_MS })
      return { status: response.status, bytes }
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      const { failure, detail: said } = error
      if (failure === 'timeout' || failure === 'private') throw new Refusal(`channel.test_${failure}`)
      if (failure === 'unreachable' && said) throw new Refusal('channel.test_unreachable_saying', { said })
      throw new Refusal('channel.test_unreachable')
    }
  }

/** @throws Refusal `channel.not_told` when the provider has no such query, or the failure of a request */
async function runQuery<T>(
  provider: Provider | undefined,
  query: UpstreamQuery<T> | undefined,
  config: UpstreamConfig,
  get: Get,
): Promise<T> {
  if (!provider || !query) throw new Refusal('channel.not_told')
  const steps = query(config)
  let step = steps.next()
  while (!step.done) {
    const { status, bytes } = await get(step.value, headersFor(provider, config, step.value))
    if (status !== 200) throw new Refusal('channel.test_refused', { status })
    step = steps.next(parsedOrUndefined(new TextDecoder().decode(bytes)))
  }
  if (step.value === undefined) throw new Refusal('channel.test_unreadable')
  return step.value
}

function headersFor(provider: Provider, config: UpstreamConfig, url: string): Record<string, string> {
  const headers = { ...provider.authorize(config), 'accept-encoding': 'identity' }
  const signature = provider.sign?.({ method: 'GET', url, headers, body_sha256: NO_BODY_SHA256 }, config)
  return { ...headers, ...signature }
}

const NO_BODY_SHA256 = createHash('sha256').digest('hex')

/** Runs a query with one key, by the variant of the provider that has it. */
async function runFor<T>(name: 'listModels' | 'balance', channel: RoutedChannel, key: string, get: Get): Promise<T> {
  const config = configOf(channel, key)
  const declared = providerOf(channel.type)
  const provider = declared && variantOf(declared, { operation: 'chat', model: '', config })
  const query = provider?.[name] as UpstreamQuery<T> | undefined
  const token = provider && query && (await earned(provider, config, routeFor(channel, get)))
  return runQuery(provider, query, { ...config, token }, get)
}

/** A token is fetched where the query may go. */
const routeFor = (channel: RoutedChannel, get: Get): OutgoingRoute =>
  get === publicOnly ? { guarded: true } : routeOfChannel(channel)

async function earned(provider: Provider, config: UpstreamConfig, route: OutgoingRoute) {
  try {
    return await tokenFor(provider, config, route)
  } catch (error) {
    if (error instanceof CredentialRefused) throw new Refusal('channel.test_refused', { status: error.error.status })
    if (error instanceof NetworkError) throw new Refusal('channel.test_unreachable')
    throw error
  }
}

/** The models that a provider lists for the first key of a channel that is not saved yet. @throws Refusal */
export async function modelsOfUnsaved(given: UnsavedChannel, caller: SessionUser): Promise<string[]> {
  const { channel } = await withUnsaved(given)
  const [key = ''] = channel.good_keys
  if (!key && !providerOf(channel.type)?.quirks.optional_key) throw new Refusal('channel.key_required', {}, 400, 'key')
  return runFor('listModels', channel, key, getFor(caller, channel))
}

/** The models that a channel's provider lists. @throws Refusal, 404 for an unknown channel */
export async function modelsOf(id: number, caller: SessionUser): Promise<string[]> {
  const channel = await channelById(id)
  if (!channel) throw notFound('channel.gone')
  const [key = ''] = channel.good_keys
  return runFor('listModels', channel, key, getFor(caller, channel))
}

/** Sum of the balances of all enabled keys, in the provider's currency. @throws Refusal */
export async function balanceAt(channel: RoutedChannel, get: Get): Promise<number> {
  let sum = 0
  for (const key of channel.good_keys) sum += await runFor<number>('balance', channel, key, get)
  return sum
}
