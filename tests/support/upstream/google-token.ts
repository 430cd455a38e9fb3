/** Google's token endpoint, as strict as the real one: it verifies the assertion with another library. */
import { importSPKI, jwtVerify } from 'jose'
import { now } from '../../../src/process/clock.ts'
import { EMAIL, KEY_ID, PUBLIC_KEY } from './google-account.ts'
import type { Received } from './http-server.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFE_MAX_SECONDS = 3600

export const ACCESS_TOKEN = 'ya29.c.mock-access-token_1'

export const tokenAnswer = (fields: object = {}) => ({
  access_token: ACCESS_TOKEN,
  expires_in: 3599,
  token_type: 'Bearer',
  ...fields,
})

type TokenRequest = Pick<Received, 'method' | 'headers' | 'body'>

/**
 * What is wrong with a token request; nothing when it is right.
 * @param seconds of the server's own clock
 */
export async function tokenViolationOf({ method, headers, body }: TokenRequest, audience: string, seconds = now()) {
  if (method !== 'POST') return `tokens are not given by ${method}`
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') return `a form as ${headers['content-type']}`
  const form = new URLSearchParams(body)
  if (form.get('grant_type') !== GRANT_TYPE) return `grant_type is ${form.get('grant_type')}`
  try {
    const key = await importSPKI(PUBLIC_KEY, 'RS256')
    const options = { audience, issuer: EMAIL, algorithms: ['RS256'], currentDate: new Date(seconds * 1000) }
    const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', key, options)
    const { iat = 0, exp = 0, scope } = payload
    if (protectedHeader.kid && protectedHeader.kid !== KEY_ID) return `kid is ${protectedHeader.kid}`
    if (scope !== SCOPE) return `scope is ${scope}`
    if (exp - iat > LIFE_MAX_SECONDS) return 'the assertion lives for more than an hour'
    if (iat > seconds) return 'the assertion is of the future'
  } catch (error) {
    return `invalid_grant: ${(error as Error).message}`
  }
}
