/** Tokens earned with keys: kept for their life, fetched once however many calls wait, renewed in the background. */
import { digest } from '../../../crypto/sealing.ts'
import type { ApiError } from '../../../formats/canonical/chat.ts'
import type { OutgoingRoute } from '../../../net/tunnel.ts'
import { now_ms } from '../../../process/clock.ts'
import { log, reason } from '../../../process/log.ts'
import { store } from '../../../process/stores.ts'
import { familyOf, flawOfKey, type Provider, type UpstreamConfig } from '../../../providers/index.ts'
import type { Awaitable } from '../../../pure/awaitable.ts'
import { hideKeys } from './hide-keys.ts'
import { carryOut } from './side-requests.ts'

const MS_PER_SECOND = 1000
/** Between renewals of a token that still lives: of many calls, one renews it. */
const RENEW_AGAIN_MS = 10_000
/** Ended tokens are removed when there are more. */
const TOKENS_MAX = 1000

interface Token {
  text: string
  ends_ms: number
  renew_ms: number
}

/** The provider refused the key, or gave nothing that can be read. */
export class CredentialRefused extends Error {
  constructor(readonly error: ApiError) {
    super(error.message)
  }
}

/** By the digest of type, base URL and key. */
const tokens = store('channel tokens', new Map<string, Token>())
/** By that and the route: a test of another proxy fails no call. */
const fetches = store('channel token requests', new Map<string, Promise<Token>>())

const idOf = ({ type }: Provider, { base_url, key }: Pick<UpstreamConfig, 'base_url' | 'key'>) =>
  digest(JSON.stringify([type, base_url, key]))

/**
 * @returns undefined for a key that is sent as it is
 * @throws CredentialRefused, also for a key without the form of its type; NetworkError: the failure of every call that waits
 */
export function tokenFor(
  provider: Provider,
  config: UpstreamConfig,
  route: OutgoingRoute,
): Awaitable<string | undefined> {
  checkForm(provider, config)
  if (!provider.credential?.earn(config)) return undefined
  const id = idOf(provider, config)
  const token = tokens.get(id)
  if (!token || token.ends_ms <= now_ms()) return fetchOnce(id, provider, config, route).then(({ text }) => text)
  if (token.renew_ms <= now_ms()) renew(token, config, fetchOnce(id, provider, config, route))
  return token.text
}

function checkForm(provider: Provider, { key }: UpstreamConfig) {
  if (!flawOfKey(provider, key)) return
  const message = `the key of the channel has not the form ${provider.key_format}`
  throw new CredentialRefused({
    status: 401,
    message,
    type: 'authentication_error',
    code: 'invalid_api_key',
    param: null,
  })
}

function renew(token: Token, { key }: UpstreamConfig, fetching: Promise<Token>) {
  token.renew_ms = now_ms() + RENEW_AGAIN_MS
  fetching.catch(error => log.warn('token not renewed', { reason: hideKeys(reason(error), [key]) }))
}

/** Call when an upstream refuses a token, which another call may have renewed meanwhile. */
export function dropToken(provider: Provider, config: UpstreamConfig, refused: string) {
  const id = idOf(provider, config)
  if (tokens.get(id)?.text === refused) tokens.delete(id)
}

/** The living tokens of a channel, which no error may show. */
export const tokensOf = (provider: Provider | undefined, base_url: string, keys: readonly string[]): string[] =>
  provider && familyOf(provider).some(({ credential }) => credential && !credential.is_public)
    ? keys.flatMap(key => tokens.get(idOf(provider, { base_url, key }))?.text ?? [])
    : []

function fetchOnce(id: string, provider: Provider, config: UpstreamConfig, route: OutgoingRoute): Promise<Token> {
  const fetch_id = `${id} ${JSON.stringify(route)}`
  const running = fetches.get(fetch_id)
  if (running) return running
  const fetching = fetchToken(provider, config, route)
    .then(token => {
      keep(id, token)
      return token
    })
    .finally(() => fetches.delete(fetch_id))
  fetches.set(fetch_id, fetching)
  return fetching
}

function keep(id: string, token: Token) {
  if (tokens.size >= TOKENS_MAX)
    for (const [other, { ends_ms }] of tokens) if (ends_ms <= now_ms()) tokens.delete(other)
  tokens.set(id, token)
}

async function fetchToken(provider: Provider, config: UpstreamConfig, route: OutgoingRoute): Promise<Token> {
  const { earn, renew_seconds } = provider.credential!
  const asked_ms = now_ms()
  const sender = { provider, config, route, abort: new AbortController() }
  const earned = await carryOut(earn(config)!, sender)
  if (!('token' in earned)) throw new CredentialRefused(earned)
  const ends_ms = asked_ms + earned.seconds * MS_PER_SECOND
  const early_seconds = Math.min(renew_seconds, earned.seconds / 2)
  return { text: earned.token, ends_ms, renew_ms: ends_ms - early_seconds * MS_PER_SECOND }
}
