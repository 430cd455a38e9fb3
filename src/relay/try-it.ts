/**
 * "Try it" on the home page: a visitor calls one model with the operator's key. The visitor chooses the prompt alone; calls
 * are limited per address and hour, and by the quota of the key's calls of a day.
 */

import { decide, release } from '../cluster/limits.ts'
import { SlidingWindow } from '../cluster/sliding-window.ts'
import { Refusal } from '../contracts/refusal.ts'
import { TRY_IT_PROMPT_MAX, tryItRequest } from '../contracts/try-it.ts'
import { option } from '../domain/options/index.ts'
import { quotaOfKey } from '../domain/usage/index.ts'
import { textOf } from '../formats/json/lenient-json.ts'
import { openAiChat } from '../formats/openai-chat/index.ts'
import { now } from '../process/clock.ts'
import { subscriberAt } from '../pure/ip.ts'
import type { Json } from '../pure/json.ts'
import { checkOrigin } from '../web/origin.ts'
import { addressOf } from '../web/request.ts'
import { Cleanup } from './cleanup.ts'
import type { RelayContext } from './endpoint.ts'
import { serve } from './relay.ts'
import { admit, checkModel } from './request/admit.ts'
import { callerWith } from './request/authenticate.ts'
import { readRequest } from './request/read-request.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
const BODY_BYTES_MAX = 8192
/** By so many calls the quota of a day may be exceeded. */
const RUNNING_MAX = 8

const calls = new SlidingWindow('try-it-calls')

/** @throws Refusal 404 while it is off, 429 with the seconds to wait, 503 where the operator's key cannot call, else as other calls */
export async function relayTryIt(context: RelayContext): Promise<Response | undefined> {
  const { request, server } = context
  const [key, model] = [option('TryItKey'), option('TryItModel')]
  if (!key || !model) throw new Refusal('home.try_off', {}, 404)
  checkOrigin(request)
  if (!(Number(request.headers.get('content-length') ?? Infinity) <= BODY_BYTES_MAX))
    throw new Refusal('home.try_prompt', { limit: TRY_IT_PROMPT_MAX }, 413)
  const cleanup = new Cleanup()
  try {
    const caller = await callerWith(key, addressOf(request, server))
    const call = cleanup.use(await readRequest(context, { operation: 'chat', format: openAiChat }, caller.user.id))
    checkPrompt(call.body, model)
    await admitVisitor(caller.token.id, caller.address, cleanup)
    const slots = cleanup.use(await admit(caller, request))
    checkModel(caller, call)
    return await serve(context, { call, caller, slots }, cleanup)
  } catch (error) {
    await cleanup.free()
    throw error
  }
}

/** @throws Refusal 400 for any other request than that of the page */
function checkPrompt(body: Json, model: string) {
  const [message] = Array.isArray(body.messages) ? body.messages : []
  const prompt = textOf(message?.content)
  const isOne = prompt.trim() !== '' && prompt.length <= TRY_IT_PROMPT_MAX
  if (!isOne || !Bun.deepEquals(body, tryItRequest(model, prompt), true))
    throw new Refusal('home.try_prompt', { limit: TRY_IT_PROMPT_MAX }, 400)
}

async function admitVisitor(token_id: number, address: string, cleanup: Cleanup) {
  const day = Math.floor(now() / DAY_SECONDS) * DAY_SECONDS
  if ((await quotaOfKey(token_id, day)) >= option('TryItDailyQuota'))
    throw new Refusal('home.try_used_up', { seconds: day + DAY_SECONDS - now() }, 429)
  const visitor = { key: subscriberAt(address), count: option('TryItHourlyCalls'), seconds: HOUR_SECONDS }
  const decision = await decide([
    { kind: 'lease', key: 'try-it', count: RUNNING_MAX },
    { kind: visitor.count ? 'take' : 'count', window: calls, ...visitor },
  ])
  const { wait, refused } = decision
  if (wait && refused === 0) throw new Refusal('home.try_busy', { seconds: 10 }, 429)
  if (wait) throw new Refusal('home.try_too_many', { seconds: wait }, 429)
  cleanup.defer(() => release(decision))
}
