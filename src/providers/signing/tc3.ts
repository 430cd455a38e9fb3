/** Tencent Cloud's signature, version 3. https://cloud.tencent.com/document/api/1729/101843 (read 2026-11) */
import { createHash, createHmac } from 'node:crypto'
import type { UnsignedRequest } from '../kit/provider.ts'

interface CloudSecrets {
  secret_id: string
  secret_key: string
}

const ALGORITHM = 'TC3-HMAC-SHA256'
const SIGNED = ['content-type', 'host', 'x-tc-action']

/** @param service name of the API, such as `hunyuan`. @returns the headers that sign the request */
export function tc3(
  { method, url, headers, body_sha256 }: UnsignedRequest,
  { secret_id, secret_key }: CloudSecrets,
  service: string,
  at_ms: number,
): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const timestamp = String(Math.floor(at_ms / 1000))
  const date = new Date(at_ms).toISOString().slice(0, 10)
  const known = Object.entries({ ...headers, host }).map(([name, value]) => [name.toLowerCase(), value] as const)
  const lines = SIGNED.map(name => `${name}:${signedValue(name, new Map(known))}\n`)
  const canonical = [method, pathname, search.slice(1), lines.join(''), SIGNED.join(';'), body_sha256].join('\n')
  const scope = `${date}/${service}/tc3_request`
  const text = [ALGORITHM, timestamp, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(hmac, `TC3${secret_key}`)
  const signature = hmac(key, text).toString('hex')
  const authorization = `${ALGORITHM} Credential=${secret_id}/${scope}, SignedHeaders=${SIGNED.join(';')}, Signature=${signature}`
  return { authorization, 'x-tc-timestamp': timestamp }
}

/** The action is signed in lower case, the media type as it is sent. */
function signedValue(name: string, headers: ReadonlyMap<string, string>): string {
  const value = headers.get(name) ?? ''
  return name === 'x-tc-action' ? value.toLowerCase() : value
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
