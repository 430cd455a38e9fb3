/**
 * AWS Signature Version 4. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * (read 2026-11)
 */
import { createHash, createHmac } from 'node:crypto'
import type { UnsignedRequest } from '../kit/provider.ts'

export interface AwsCredentials {
  access_key: string
  secret: string
  /** Present with temporary credentials only. */
  session_token?: string
}

interface Scope {
  region: string
  service: string
  /** Unix milliseconds. */
  at_ms: number
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** Every character but the unreserved ones of RFC 3986, in upper case: `/` too. */
export const uriEncoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Signs host, time and media type; headers that are added later do not count.
 * @param request whose URL has the host that the signature is for
 * @returns the headers that carry the signature
 */
export function awsSignature(request: UnsignedRequest, credentials: AwsCredentials, scope: Scope) {
  const { access_key, secret, session_token } = credentials
  const { region, service, at_ms } = scope
  const time = new Date(at_ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const own = { 'x-amz-date': time, ...(session_token && { 'x-amz-security-token': session_token }) }
  const signed = signedHeaders(request, own)
  const names = signed.map(([name]) => name).join(';')
  const place = `${day}/${region}/${service}/aws4_request`
  const text = [ALGORITHM, time, place, sha256(canonicalRequest(request, signed, names))].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const signature = hmac(key, text).toString('hex')
  const authorization = `${ALGORITHM} Credential=${access_key}/${place}, SignedHeaders=${names}, Signature=${signature}`
  return { ...own, authorization }
}

function signedHeaders({ url, headers }: UnsignedRequest, own: Record<string, string>): [string, string][] {
  const type = headers['content-type']
  const all = { host: new URL(url).host, ...(type !== undefined && { 'content-type': type }), ...own }
  return Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** The path is encoded twice: once as it is sent, once more here. */
function canonicalRequest({ method, url, body_sha256 }: UnsignedRequest, signed: [string, string][], names: string) {
  const { pathname, searchParams } = new URL(url)
  const path = pathname.split('/').map(uriEncoded).join('/')
  const query = [...searchParams].map(([name, value]) => `${uriEncoded(name)}=${uriEncoded(value)}`).toSorted()
  const lines = signed.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}\n`)
  return [method, path, query.join('&'), lines.join(''), names, body_sha256].join('\n')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
