/** One task, from the request to its settled bill: each step is one function. Its row is written before the call. */
import { type PriceBasis, taskBill } from '../../billing/task-price.ts'
import type { TaskPlatform } from '../../contracts/task.ts'
import type { Candidate } from '../../domain/routing/index.ts'
import { beginTask, callbackPathOf, endSubmitting, type TaskRow } from '../../domain/tasks/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call, ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { type ChooseUnits, quoteTask } from '../charging/quote-task.ts'
import { reserveForTask } from '../charging/reserve-for-task.ts'
import type { Endpoint, RelayContext } from '../endpoint.ts'
import { inServingGroup } from '../fallbacks.ts'
import { admit, checkModel } from '../request/admit.ts'
import { authenticate } from '../request/authenticate.ts'
import { authenticateSession } from '../request/authenticate-session.ts'
import { readRequest } from '../request/read-request.ts'
import { checkSensitiveWords } from '../request/sensitive-words.ts'
import { candidates } from '../upstream/candidates.ts'
import { dispatch } from '../upstream/dispatch.ts'
import type { UpstreamResponse } from '../upstream/upstream-response.ts'
import { recordRefused } from '../watching/record-refused.ts'
import { type AcceptedTask, accept } from './accept.ts'
import { failSubmitting } from './fail-submitting.ts'
import { type OriginTask, pinnedTo } from './origin-task.ts'
import { sendOnce } from './send-once.ts'

/** A path at which tasks are submitted. */
export interface TaskEndpoint extends Endpoint {
  platform: TaskPlatform
  /** In the words of the platform. */
  action: string
  /** @throws Fault in the maker's words for a request that is none */
  check?(call: ReadCall): void
  /** Finds the task that it continues. @throws Fault in the maker's words */
  originOf?(call: ReadCall): Promise<OriginTask | undefined>
  /** What the request decides beyond its path. */
  detailsOf?(call: ReadCall, origin: OriginTask | undefined): TaskDetails
  /** What the upstream says of a task that it has accepted; its id alone unless declared. */
  acceptanceOf?(response: TaskAnswer, action: string): AcceptedTask
  /** Leaves out candidates that cannot do it, and settles what the request leaves open. @throws Refusal where none can */
  plan?(request: Json, able: Candidate[]): TaskPlan
}

export const submitsTask = (endpoint: Endpoint): endpoint is TaskEndpoint => 'platform' in endpoint

/** What an upstream has answered to a submit. */
export interface TaskAnswer extends Pick<UpstreamResponse, 'facts'> {
  bytes?: Uint8Array
}

export interface TaskPlan {
  able: Candidate[]
  /** The request with all that is priced, and the files that its channels do not fetch. @throws Refusal 400 */
  complete(): Promise<Json>
  /** The request as it is kept. */
  input: Json
  action: string
  choose: ChooseUnits
}

export interface TaskDetails {
  /** In the words of the platform. */
  action?: string
  /** For the upstream; that of the client or of its origin unless given. */
  body?: Json
  /** What is kept of the request; all of it unless given. */
  input?: Json
  /** The name under which it is priced, where that is not the model's. */
  price_name?: string
  /** It costs nothing, whatever its price. */
  is_free?: boolean
  /** Address of the caller's webhook. */
  hook?: string
}

export interface SubmittedTask {
  /** The row as it was begun. */
  task: TaskRow
  accepted: AcceptedTask
}

/** @returns once an upstream has accepted the task. @throws Refusal or Fault */
export async function submitTask(context: RelayContext, endpoint: TaskEndpoint): Promise<SubmittedTask> {
  await using cleanup = new AsyncDisposableStack()
  const asking = await callerOf(context)
  const slots = cleanup.use(await admit(asking, context.request))
  const read = cleanup.use(await readRequest(context, endpoint, asking.user.id))
  const { recorder } = read
  recorder.admitted(read)
  endpoint.check?.(read)
  const origin = await endpoint.originOf?.(read)
  checkModel(asking, read)
  const caller = await inServingGroup(read, asking)
  await checkSensitiveWords(read, caller)
  const pinned = recorder.keep(pinnedTo(origin, await candidates(read, caller)), 'not_holder')
  const { details, plan, request, price_basis } = planTask({ read, caller, endpoint, origin }, pinned)
  const able = recorder.keep(plan?.able ?? pinned, 'not_able')
  const body = (await plan?.complete()) ?? request
  recorder.reserving(read)
  read.trace?.reserving()
  const { quota } = taskBill(price_basis)
  const model = details.price_name ?? read.facts.model
  const reservation = cleanup.use(await reserved(read, caller, { model, quota }))
  read.trace?.reserved()
  recorder.reserved({ ...read, hold: nothingLimited })
  const task = await beginTask({
    ...columnsOf(read, caller, endpoint, { ...details, ...plan }),
    origin_id: origin?.task_id,
    price_basis,
  })
  try {
    const call = callOf(read, body, task)
    reservation.recordOf = () => recorder.recordOf(call)
    const response = await dispatch({ call, caller, reservation }, able, sendOnce)
    const accepted = endpoint.acceptanceOf?.(response, task.action) ?? { upstream_id: response.facts.id! }
    await accept({ task, call, caller, reservation }, response, accepted)
    slots.release(true)
    return { task, accepted }
  } catch (error) {
    await failSubmitting(task, error)
    throw error
  } finally {
    endSubmitting(task)
  }
}

interface AskedTask {
  read: ReadCall
  caller: ApiCaller
  endpoint: TaskEndpoint
  origin?: OriginTask
}

interface PlannedTask {
  details: TaskDetails
  plan: TaskPlan | undefined
  request: Json
  price_basis: PriceBasis
}

/** Settles what a task is and what it costs. @throws Refusal where no candidate can do it, and for a model without a price */
export function planTask({ read, caller, endpoint, origin }: AskedTask, able: Candidate[]): PlannedTask {
  const details = endpoint.detailsOf?.(read, origin) ?? {}
  const request = details.body ?? origin?.body ?? read.body
  const plan = endpoint.plan?.(request, able)
  return { details, plan, request, price_basis: quoteTask(read, caller, { ...details, choose: plan?.choose }) }
}

async function reserved(read: ReadCall, caller: ApiCaller, asked: { model: string; quota: number }) {
  try {
    return await reserveForTask(read, caller, asked)
  } catch (error) {
    recordRefused(read, caller, error)
    throw error
  }
}

/** In the playground the session is the credential, and the query names the group. */
async function callerOf(context: RelayContext): Promise<ApiCaller> {
  if (!context.route.by_session) return authenticate(context)
  const group = new URL(context.request.url).searchParams.get('group') || undefined
  return (await authenticateSession(context)).callerIn(group)
}

/** What a task costs is known, so that nothing of its output is limited. */
const nothingLimited = { paid_output: 0, is_limited: false, sends_limit: false }

const callOf = (read: ReadCall, body: Json, task: TaskRow): Call => ({
  ...read,
  body,
  callback: channel_id => callbackPathOf(task, channel_id),
  ...{ stored_tokens: 0, prompt_tokens: 0, runs_tools: false, hold: nothingLimited },
})

const columnsOf = (
  { request_id, body, facts: { model } }: ReadCall,
  { user, token, group }: ApiCaller,
  { platform, action }: TaskEndpoint,
  asked: TaskDetails,
) => ({
  ...{ platform, action: asked.action ?? action, model: asked.price_name ?? model },
  ...{ user_id: user.id, token_id: token.id, group, request_id, hook: asked.hook, input: asked.input ?? body },
})
