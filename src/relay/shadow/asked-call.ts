/** What a request in the shadow asks for, and who asks. It is read while the old gateway answers. */
import { Refusal } from '../../contracts/refusal.ts'
import { digest } from '../../crypto/sealing.ts'
import { type TokenRow, tokenByKey } from '../../domain/tokens/index.ts'
import { type User, userById } from '../../domain/users/index.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import type { ApiRoute, Endpoint, RelayContext } from '../endpoint.ts'
import { accessRefusal, modelRefusal } from '../request/access-rules.ts'
import { keySentIn } from '../request/authenticate.ts'
import { readRequest } from '../request/read-request.ts'

export interface AskedCall {
  /** Empty for a request without a key. */
  key_hash: string
  caller: ApiCaller
  /** Absent for a request that is not read, or could not be. */
  read?: ReadCall
  /** Code of the refusal with which it would have ended here. */
  refusal?: string
}

export interface AskedContext extends Pick<RelayContext, 'request' | 'params'> {
  route: ApiRoute
  /** Absent where the request alone has no price. */
  endpoint?: Endpoint
}

const SPENT = 503

/** @param body of the request, as it came */
export async function askedCall(
  context: AskedContext,
  body: Uint8Array<ArrayBuffer>,
  address: string,
): Promise<AskedCall> {
  const { request, endpoint } = context
  const sent = keySentIn({ ...context, server: null })
  const key_hash = sent ? digest(sent.key) : ''
  const known = sent && (await callerWith(sent, address))
  const caller = known ?? stranger
  if (!endpoint) return { key_hash, caller }
  // A copy: a large body is lost when it is parsed, and the other one is being sent.
  const copy = new Request(request.url, { method: request.method, headers: request.headers, body: body.slice() })
  try {
    const read = await readRequest({ ...context, request: copy, server: null }, endpoint, caller.user.id)
    const refusal = known && (accessRefusal(known) ?? modelRefusal(known, read.facts.model))
    return { key_hash, caller, read, refusal: refusal?.code }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { key_hash, caller, refusal: error.status === SPENT ? undefined : error.code }
  }
}

async function callerWith({ key, channel_id }: NonNullable<ReturnType<typeof keySentIn>>, address: string) {
  const token = await tokenByKey(key)
  const user = token && (await userById.get(token.user_id))
  return user && { token, user, group: token.group || user.group, channel_id, address }
}

const DEFAULT_GROUP = 'default'

/** The caller with a key that is not known here, as far as a price needs one. */
const stranger: ApiCaller = {
  token: { id: 0, model_limits_enabled: false } as TokenRow,
  user: { id: 0, group: DEFAULT_GROUP, setting: '' } as User,
  group: DEFAULT_GROUP,
  channel_id: undefined,
  address: '',
}
