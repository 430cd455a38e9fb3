/** The newest release, asked from the operator's address. https://docs.github.com/en/rest/releases/releases#get-the-latest-release (read 2026-11) */
import { z } from 'zod'
import { isWebAddress } from '../../contracts/address.ts'
import { type FetchFailure, Refusal } from '../../contracts/refusal.ts'
import { guardedFetch, Unfetchable } from '../../net/guarded-fetch.ts'
import { isNewer } from '../../pure/semver.ts'
import { VERSION } from '../../pure/version.ts'
import { option } from '../options/index.ts'

const TIMEOUT_MS = 10_000
const RELEASE_MAX_BYTES = 1_048_576
/** Characters of the notes that are shown. */
const NOTES_MAX = 50_000
/** GitHub refuses requests without a name. */
const headers = { accept: 'application/json', 'user-agent': `Tollgate/${VERSION}` }

const ReleaseDocument = z.object({
  tag_name: z.string().max(100),
  body: z.string().nullish(),
  html_url: z.string().refine(isWebAddress).nullish().catch(undefined),
})

interface Release {
  current: string
  latest: string
  is_newer: boolean
  url: string
  /** Markdown. */
  notes: string
}

/** @throws Refusal 400 `system.no_update_address`; `system.update_failed` with the cause */
export async function latestRelease(): Promise<Release> {
  const address = option('UpdateCheckAddress')
  if (!address) throw new Refusal('system.no_update_address', {}, 400)
  const { tag_name, body, html_url } = await fetchRelease(address)
  const newer = isNewer(tag_name, VERSION)
  if (newer === undefined) throw failed('incomplete')
  const notes = (body ?? '').slice(0, NOTES_MAX)
  return { current: VERSION, latest: tag_name, is_newer: newer, url: html_url ?? '', notes }
}

async function fetchRelease(address: string): Promise<z.output<typeof ReleaseDocument>> {
  const limits = { headers, max_bytes: RELEASE_MAX_BYTES, ms: TIMEOUT_MS }
  const { status, bytes } = await guardedFetch(address, limits).catch(error => {
    throw failed(error instanceof Unfetchable ? error.failure : 'unreachable')
  })
  if (status !== 200) throw failed('status')
  const read = ReleaseDocument.safeParse(jsonIn(bytes))
  if (!read.success) throw failed('incomplete')
  return read.data
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw failed('not_json')
  }
}

const failed = (cause: FetchFailure) => new Refusal('system.update_failed', { cause: `fetch.${cause}` }, 400)
