/** What the signature of one request of the bench costs: the hash of 1 KB, and that of AWS over it. */
import { createHash } from 'node:crypto'
import { awsSignature } from '../../src/providers/signing/sigv4.ts'

const CALLS = 20_000
const credentials = { access_key: 'AKIDEXAMPLE00000000', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova-lite-v1%3A0/converse-stream'
const body = 'Please count with me. '.repeat(48)

/** Milliseconds a call, on one core. */
export function signingMs(): number {
  const begin = performance.now()
  for (let call = 0; call < CALLS; call++) {
    const body_sha256 = createHash('sha256').update(body).digest('hex')
    const request = { method: 'POST' as const, url, headers: { 'content-type': 'application/json' }, body_sha256 }
    awsSignature(request, credentials, { region: 'us-east-1', service: 'bedrock', at_ms: call })
  }
  return (performance.now() - begin) / CALLS
}
