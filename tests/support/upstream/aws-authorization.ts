/** What AWS checks of a request's authorization, by the signer of its own clients. */
import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import type { Received } from './http-server.ts'

/** AWS refuses a time further off. */
const SKEW_MAX_MS = 5 * 60_000

interface AwsError {
  /** Value of `x-amzn-ErrorType`. */
  type: string
  message: string
}

interface AwsAccount {
  /** `AccessKey|SecretKey|Region`, with a session token as a fourth part; or `ApiKey|Region`. */
  key: string
  /** Hosts that the signature may be for. */
  hosts: readonly string[]
  /** Time of the server. */
  now_ms?: number
}

/** @returns what AWS answers, with status 403; undefined when the request is authorized */
export async function unauthorized(received: Received, account: AwsAccount): Promise<AwsError | undefined> {
  const [first, second, region, token] = account.key.split('|')
  const { authorization = '' } = received.headers
  if (!region) {
    if (authorization === `Bearer ${first}`) return undefined
    return {
      type: 'AccessDeniedException',
      message: 'Authentication failed: Please make sure your API Key is valid.',
    }
  }
  const credentials = { accessKeyId: first!, secretAccessKey: second!, ...(token && { sessionToken: token }) }
  return refusal(received, region, credentials, account)
}

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/bedrock\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/

async function refusal(
  received: Received,
  region: string,
  credentials: Credentials,
  { hosts, now_ms = Date.now() }: AwsAccount,
): Promise<AwsError | undefined> {
  const { headers } = received
  const [, id, , named, names = '', signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? []
  if (!signature) return { type: 'MissingAuthenticationTokenException', message: 'Missing Authentication Token' }
  if (
    id !== credentials.accessKeyId ||
    named !== region ||
    headers['x-amz-security-token'] !== credentials.sessionToken
  )
    return { type: 'UnrecognizedClientException', message: 'The security token included in the request is invalid.' }
  const time = headers['x-amz-date'] ?? ''
  const at_ms = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(at_ms - now_ms) <= SKEW_MAX_MS))
    return { type: 'InvalidSignatureException', message: `Signature expired: ${time} is now earlier than allowed` }
  for (const required of ['host', 'x-amz-date', ...(credentials.sessionToken ? ['x-amz-security-token'] : [])])
    if (!names.split(';').includes(required))
      return { type: 'InvalidSignatureException', message: `${required} unsigned` }
  const wanted = await Promise.all(
    hosts.map(host => signatureFor(received, { host, names, region, credentials, at_ms })),
  )
  if (wanted.includes(signature)) return undefined
  return {
    type: 'InvalidSignatureException',
    message: 'The request signature we calculated does not match the signature you provided.',
  }
}

interface Signing {
  host: string
  names: string
  region: string
  credentials: Credentials
  at_ms: number
}

async function signatureFor(received: Received, { host, names, region, credentials, at_ms }: Signing) {
  const { pathname, searchParams } = new URL(received.target, 'http://aws.example')
  const signed = names.split(';').map(name => [name, name === 'host' ? host : (received.headers[name] ?? '')])
  const signer = new SignatureV4({ service: 'bedrock', region, credentials, sha256: Sha256, applyChecksum: false })
  const request = {
    method: received.method,
    protocol: 'https:',
    hostname: host,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(signed),
    body: received.bytes.length ? received.bytes : undefined,
  }
  const result = await signer.sign(request, {
    signingDate: new Date(at_ms),
    signableHeaders: new Set(names.split(';')),
    unsignableHeaders: new Set(),
  })
  return /Signature=(\w+)/.exec(result.headers.authorization!)?.[1]
}
