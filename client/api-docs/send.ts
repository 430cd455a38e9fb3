/** Sends an operation of the API in the reader's session, or with one of the reader's API keys. */
import type { ApiOperation } from '../../src/contracts/api-docs.ts'
import { KEY_PREFIX, type Token } from '../../src/contracts/token.ts'
import { callApi } from '../query.ts'

export interface ApiResult {
  status: number
  milliseconds: number
  /** The body; JSON is indented, and a long one is cut. */
  text: string
  /** No response came. */
  failed?: true
}

/** Characters of a body that are shown. */
const SHOWN_MAX = 100_000

const failure: ApiResult = { status: 0, milliseconds: 0, text: '', failed: true }

/** @param form values by place and name, as `path id`; `key` is the id of an API key */
export async function sendOperation(operation: ApiOperation, form: FormData): Promise<ApiResult> {
  try {
    const headers = await headersOf(operation, String(form.get('key') ?? ''))
    const { method, body_type } = operation
    const body = body_type === 'json' ? String(form.get('body')) : undefined
    const start = performance.now()
    const response = await fetch(addressOf(operation, form), { method, headers, body, cache: 'no-store' })
    const text = await response.text()
    return { status: response.status, milliseconds: Math.round(performance.now() - start), text: shown(text) }
  } catch {
    return failure
  }
}

async function headersOf({ access, body_type }: ApiOperation, key_id: string): Promise<Record<string, string>> {
  const type: Record<string, string> = body_type === 'json' ? { 'content-type': 'application/json' } : {}
  if (access === 'anyone') return type
  if (access !== 'key') return { ...type, 'tollgate-user': document.documentElement.dataset.user ?? '' }
  const { key } = await callApi<Token>('GET', `/api/token/${key_id}`)
  return { ...type, authorization: `Bearer ${KEY_PREFIX}${key}` }
}

function addressOf({ path, fields }: ApiOperation, form: FormData): string {
  const fieldOf = (place: string, name: string) => String(form.get(`${place} ${name}`) ?? '')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(fieldOf('path', name)))
  const query = new URLSearchParams()
  for (const { name, place } of fields)
    if (place === 'query' && fieldOf(place, name)) query.set(name, fieldOf(place, name))
  return query.size ? `${filled}?${query}` : filled
}

function shown(text: string): string {
  try {
    return cut(JSON.stringify(JSON.parse(text), null, 2))
  } catch {
    return cut(text)
  }
}

const cut = (text: string) => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text)
