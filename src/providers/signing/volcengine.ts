/** Volcengine's signature of requests. https://www.volcengine.com/docs/6369/67269 (read 2026-11) */
import { createHash, createHmac } from 'node:crypto'
import type { UnsignedRequest } from '../kit/provider.ts'

interface VolcengineScope {
  access_key: string
  secret_key: string
  region: string
  service: string
}

const ALGORITHM = 'HMAC-SHA256'

/** @returns the headers that sign the request */
export function volcengine(
  { method, url, headers, body_sha256 }: UnsignedRequest,
  { access_key, secret_key, region, service }: VolcengineScope,
  at_ms: number,
): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url)
  // 20260102T030405Z
  const date = new Date(at_ms).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const signed = { ...(type && { 'content-type': type }), host, 'x-content-sha256': body_sha256, 'x-date': date }
  const names = Object.keys(signed).join(';')
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
  const canonical = [method, pathname, queryOf(searchParams), lines.join(''), names, body_sha256].join('\n')
  const scope = [date.slice(0, 8), region, service, 'request']
  const text = [ALGORITHM, date, scope.join('/'), createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = scope.reduce<string | Buffer>(hmac, secret_key)
  const signature = hmac(key, text).toString('hex')
  const authorization = `${ALGORITHM} Credential=${access_key}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`
  return { authorization, 'x-content-sha256': body_sha256, 'x-date': date }
}

/** Sorted by name. */
const queryOf = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
