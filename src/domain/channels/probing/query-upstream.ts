/**
 * Asks providers what they know beside calls: their models, what is left on an account. A key that is kept goes to no
 * other address than its channel's.
 */
import { Role, type SessionUser } from '../../../contracts/account.ts'
import type { UnsavedChannel } from '../../../contracts/channel.ts'
import { notFound, Refusal } from '../../../contracts/refusal.ts'
import { guardedFetch } from '../../../net/guarded-fetch.ts'
import { NetworkError, readBody, upstreamFetch } from '../../../net/upstream-fetch.ts'
import { type Provider, providerOf, type UpstreamConfig, type UpstreamQuery } from '../../../providers/index.ts'
import { option } from '../../options/index.ts'
import { channelById, keysOf, type RoutedChannel } from '../routing/routing-table.ts'

const PATIENCE_MS = 15_000
const ANSWER_BYTES_MAX = 8 * 1_048_576

/** How an address is reached: by anyone but the owner only where everyone may. */
type Get = (url: string, headers: Record<string, string>) => Promise<{ status: number; bytes: Uint8Array }>

export const getFor = ({ role }: Pick<SessionUser, 'role'>, proxy?: string): Get =>
  role >= Role.root ? direct(proxy) : guarded

const guarded: Get = (url, headers) => guardedFetch(url, { headers, max_bytes: ANSWER_BYTES_MAX, ms: PATIENCE_MS })

export const direct =
  (proxy?: string): Get =>
  async (url, headers) => {
    const line = new AbortController()
    try {
      const response = await upstreamFetch({ url, headers, body: '', method: 'GET', proxy }, line, PATIENCE_MS)
      const bytes = await readBody(response, line, { max_bytes: ANSWER_BYTES_MAX, body_ms: PATIENCE_MS })
      return { status: response.status, bytes }
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      throw new Refusal(error.failure === 'timeout' ? 'channel.test_timeout' : 'channel.test_unreachable')
    }
  }

/** @throws Refusal that says what went wrong, or that this provider cannot be asked that. */
async function inquire<T>(
  provider: Provider | undefined,
  inquiry: UpstreamQuery<T> | undefined,
  line: UpstreamConfig,
  get: Get,
): Promise<T> {
  if (!provider || !inquiry) throw new Refusal('channel.not_told')
  const headers = { ...provider.authorize({ site: option('ServerAddress'), ...line }), 'accept-encoding': 'identity' }
  const asking = inquiry(line)
  let step = asking.next()
  while (!step.done) {
    const { status, bytes } = await get(step.value, headers)
    if (status !== 200) throw new Refusal('channel.test_refused', { status })
    step = asking.next(jsonIn(bytes))
  }
  if (step.value === undefined) throw new Refusal('channel.test_unreadable')
  return step.value
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** The models that a provider lists to the first key of a connection that is not kept yet. */
export function modelsOfUnsaved({ type, base_url, key }: UnsavedChannel, caller: SessionUser): Promise<string[]> {
  const provider = providerOf(type)
  const [first = ''] = keysOf(key, type)
  return inquire(provider, provider?.listModels, { base_url, key: first }, getFor(caller))
}

/** @throws Refusal 404 as well. */
export async function modelsOf(id: number, caller: SessionUser): Promise<string[]> {
  const channel = await channelById(id)
  if (!channel) throw notFound()
  const provider = providerOf(channel.type)
  const [key = ''] = channel.good_keys
  return inquire(provider, provider?.listModels, { ...channel, key }, getFor(caller, channel.setting.proxy))
}

/** What is left on the accounts of all keys together, in the provider's currency. */
export async function balanceAt(channel: RoutedChannel, get: Get): Promise<number> {
  const provider = providerOf(channel.type)
  let sum = 0
  for (const key of channel.good_keys) sum += await inquire(provider, provider?.balance, { ...channel, key }, get)
  return sum
}
