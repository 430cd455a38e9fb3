/** Sets the quota of a task aside, all of which is known. */
import { reserve } from '../../domain/wallet/index.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { CallReservation } from './call-reservation.ts'

/** @param asked the name under which the task is priced. @throws Refusal 403 when user or token, 429 when a budget has less left */
export async function reserveForTask(
  { request_id }: ReadCall,
  { user, token }: ApiCaller,
  asked: { model: string; quota: number },
) {
  const own = { request_id, user_id: user.id, token_id: token.id, unlimited: token.unlimited_quota }
  return new CallReservation(await reserve({ ...own, ...asked }), Number.POSITIVE_INFINITY)
}
