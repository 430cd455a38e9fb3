/**
 * Access tokens of service accounts: a signed assertion is exchanged at Google's token endpoint.
 * https://developers.google.com/identity/protocols/oauth2/service-account (read 2026-11)
 */
import type { ApiError } from '../../formats/canonical/chat.ts'
import { isObject } from '../../formats/json/checks.ts'
import { textOf } from '../../formats/json/lenient-json.ts'
import type { EarnedToken, ProviderCredential, SideResponse, Steps } from '../kit/steps.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { signJwt } from '../signing/rs256.ts'
import { accountOf, isExpress, type ServiceAccount } from './account.ts'

const TOKEN_URI = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** The longest life that an assertion may have. */
const ASSERTION_SECONDS = 3600
/** Google refuses assertions from the future: the own clock may run ahead by this much. */
const CLOCK_SECONDS = 600
const RENEW_SECONDS = 300
const MS_PER_SECOND = 1000
const DESCRIPTION_MAX = 200

export const serviceAccountToken: ProviderCredential = {
  earn: config => (isExpress(config.key) ? undefined : earn(config)),
  renew_seconds: RENEW_SECONDS,
}

function* earn(config: UpstreamConfig): Steps<EarnedToken | ApiError> {
  const account = accountOf(config.key)
  if (typeof account === 'string') return refused('The key is no service account')
  const url = account.token_uri || TOKEN_URI
  if (!isTokenHost(url, config)) return refused('The token_uri of the key is not one of Google')
  const assertion = assertionOf(account, url, config.at_ms ?? 0)
  const response = yield {
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: GRANT_TYPE, assertion }).toString(),
  }
  return earnedOf(response) ?? errorOf(response, assertion)
}

/** An operator pastes the document: its address counts only at Google, or at the origin of the channel's base URL. */
function isTokenHost(text: string, { base_url }: UpstreamConfig): boolean {
  const url = URL.parse(text)
  if (!url) return false
  if (base_url && url.origin === URL.parse(base_url)?.origin) return true
  return url.protocol === 'https:' && !url.port && /(?:^|\.)googleapis\.com$/.test(url.hostname)
}

function assertionOf({ email, key_id, private_key }: ServiceAccount, aud: string, at_ms: number): string {
  const iat = Math.floor(at_ms / MS_PER_SECOND) - CLOCK_SECONDS
  const claims = { iss: email, scope: SCOPE, aud, iat, exp: iat + ASSERTION_SECONDS }
  return signJwt(key_id ? { kid: key_id } : {}, claims, private_key)
}

/** @returns undefined for anything but a token that can be sent and lives */
function earnedOf({ status, body }: SideResponse): EarnedToken | undefined {
  if (status !== 200 || !isObject(body)) return undefined
  const token = textOf(body.access_token)
  const seconds = Number(body.expires_in)
  return /^[\x21-\x7e]+$/.test(token) && seconds > 0 && Number.isFinite(seconds) ? { token, seconds } : undefined
}

function errorOf({ status, body }: SideResponse, assertion: string): ApiError {
  const { error, error_description } = isObject(body) ? body : {}
  const code = textOf(error)
  if (status >= 500 || status === 429) return failed(status, `The token endpoint failed with status ${status}`)
  if (!code) return failed(502, `The token endpoint gave no token that can be used, with status ${status}`)
  const description = textOf(error_description).replaceAll(assertion, '…').slice(0, DESCRIPTION_MAX)
  const message = `The token endpoint refused the key: ${[code, description].filter(Boolean).join(': ')}`
  return isAboutTime.test(description) ? failed(503, message) : refused(message)
}

/** The clock is wrong, not the key. */
const isAboutTime = /timeframe|\biat\b|expired/i

const refused = (message: string): ApiError => ({
  status: 401,
  message,
  type: 'authentication_error',
  code: 'invalid_api_key',
  param: null,
})

const failed = (status: number, message: string): ApiError => ({
  status,
  message,
  type: 'server_error',
  code: 'token_not_earned',
  param: null,
})
