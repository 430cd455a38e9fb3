/** The addresses in a provider's discovery document, for the settings. https://openid.net/specs/openid-connect-discovery-1_0.html (read 2026-11) */
import { z } from 'zod'
import { isWebAddress } from '../../contracts/address.ts'
import type { OidcEndpoints } from '../../contracts/option.ts'
import { type FetchFailure, Refusal } from '../../contracts/refusal.ts'
import { guardedFetch, Unfetchable } from '../../net/guarded-fetch.ts'
import { isOfIssuer } from './oidc.ts'

const TIMEOUT_MS = 5000
const DOCUMENT_MAX_BYTES = 262_144

const address = z.string().refine(isWebAddress)

const DiscoveryDocument = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  /** Recommended only: without it the id token has to name the user. */
  userinfo_endpoint: address.optional(),
})

/** @throws Refusal 400 `oauth.discovery_failed` at `well_known`, with the cause */
export async function discoverEndpoints(well_known: string): Promise<OidcEndpoints> {
  const read = DiscoveryDocument.safeParse(await fetchDocument(well_known))
  if (!read.success) throw failed('incomplete')
  const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint = '' } = read.data
  if (!isOfIssuer(well_known, issuer)) throw failed('foreign')
  return { authorization_endpoint, token_endpoint, user_info_endpoint: userinfo_endpoint }
}

async function fetchDocument(well_known: string): Promise<unknown> {
  const headers = { accept: 'application/json' }
  const limits = { headers, max_bytes: DOCUMENT_MAX_BYTES, ms: TIMEOUT_MS }
  const { status, bytes } = await guardedFetch(well_known, limits).catch(error => {
    throw failed(error instanceof Unfetchable ? error.failure : 'unreachable')
  })
  if (status !== 200) throw failed('status')
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw failed('not_json')
  }
}

const failed = (cause: FetchFailure) =>
  new Refusal('oauth.discovery_failed', { cause: `fetch.${cause}` }, 400, 'well_known')
