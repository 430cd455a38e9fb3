/** One task, from the request to its settled bill: each step is one function. Its row is written before the call. */
import { taskBill } from '../../billing/task-price.ts'
import type { TaskPlatform } from '../../contracts/task.ts'
import type { Candidate } from '../../domain/routing/index.ts'
import { beginTask, endSubmitting, type TaskRow } from '../../domain/tasks/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call, ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { type ChooseUnits, quoteTask } from '../charging/quote-task.ts'
import { reserveForTask } from '../charging/reserve-for-task.ts'
import type { Endpoint, RelayContext } from '../endpoint.ts'
import { admit, checkModel } from '../request/admit.ts'
import { authenticate } from '../request/authenticate.ts'
import { readRequest } from '../request/read-request.ts'
import { checkSensitiveWords } from '../request/sensitive-words.ts'
import { candidates } from '../upstream/candidates.ts'
import { dispatch } from '../upstream/dispatch.ts'
import { accept } from './accept.ts'
import { failSubmitting } from './fail-submitting.ts'
import { type OriginTask, pinnedTo } from './origin-task.ts'
import { sendOnce } from './send-once.ts'

/** A path at which tasks are submitted. */
export interface TaskEndpoint extends Endpoint {
  platform: TaskPlatform
  /** In the words of the platform. */
  action: string
  /** Checks the request, and finds the task that it continues. @throws Fault in the maker's words */
  originOf(call: ReadCall): Promise<OriginTask | undefined>
  /** Leaves out candidates that cannot do it, and settles what the request leaves open. @throws Refusal where none can */
  plan?(request: Json, able: Candidate[]): Promise<TaskPlan>
}

export interface TaskPlan {
  able: Candidate[]
  /** The request with all that is priced. */
  body: Json
  /** The request as it is kept. */
  input: Json
  action: string
  choose: ChooseUnits
}

/** @returns the row as it was begun, once an upstream has accepted the task. @throws Refusal or Fault */
export async function submitTask(context: RelayContext, endpoint: TaskEndpoint): Promise<TaskRow> {
  await using cleanup = new AsyncDisposableStack()
  const caller = await authenticate(context)
  const slots = cleanup.use(admit(caller, context.request))
  const read = cleanup.use(await readRequest(context, endpoint, caller.user.id))
  checkModel(caller, read)
  await checkSensitiveWords(read, caller)
  const origin = await endpoint.originOf(read)
  const request = origin?.body ?? read.body
  const pinned = pinnedTo(origin, await candidates(read, caller))
  const plan = await endpoint.plan?.(request, pinned)
  const basis = quoteTask(read, caller, plan?.choose)
  const bill = taskBill(basis)
  const call = callOf(read, plan?.body ?? request)
  const reservation = cleanup.use(await reserveForTask(call, caller, bill.quota))
  const { action = endpoint.action, input = read.body } = plan ?? {}
  const task = await beginTask({
    ...{ ...columnsOf(read, caller), platform: endpoint.platform, action, input },
    ...{ origin_id: origin?.task_id, price_basis: basis },
  })
  try {
    const response = await dispatch({ call, caller }, plan?.able ?? pinned, sendOnce)
    await accept({ task, call, caller, reservation }, response, bill)
    slots.release(true)
    return task
  } catch (error) {
    await failSubmitting(task, error)
    throw error
  } finally {
    endSubmitting(task)
  }
}

/** What a task costs is known, so that nothing of its output is limited. */
const nothingLimited = { paid_output: 0, is_limited: false, sends_limit: false }

const callOf = (read: ReadCall, body: Json): Call => ({
  ...read,
  body,
  ...{ stored_tokens: 0, prompt_tokens: 0, runs_tools: false, hold: nothingLimited },
})

const columnsOf = ({ request_id, facts: { model } }: ReadCall, { user, token, group }: ApiCaller) => ({
  model,
  user_id: user.id,
  token_id: token.id,
  group,
  request_id,
})
