/** Pictures as tasks: a request is answered at once, and any channel of pictures makes it behind that, once. */
import { type PriceBasis, perCall } from '../../billing/task-price.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isFinal } from '../../contracts/task.ts'
import { option } from '../../domain/options/index.ts'
import {
  acceptTask,
  beginTask,
  endSubmitting,
  fileAddressOf,
  filesOf,
  type TaskRow,
  taskOf,
} from '../../domain/tasks/index.ts'
import { imageGenerations } from '../../formats/openai-images/index.ts'
import { writePictureTask } from '../../formats/openai-images/write-task.ts'
import { withoutFiles } from '../../formats/videos/request.ts'
import { parseObject } from '../../pure/json.ts'
import { idOf, siteOf } from '../../web/request.ts'
import { keepRunning } from '../background/runs.ts'
import type { BillableCall } from '../call.ts'
import { meter } from '../charging/meter.ts'
import type { CallEnd } from '../delivery/call-end.ts'
import type { ApiRoute, Endpoint, RelayContext } from '../endpoint.ts'
import { openAiErrors } from '../errors/error-format.ts'
import { headersFor } from '../errors/explain.ts'
import { ClientDisconnected, Fault } from '../errors/fault.ts'
import { type BackgroundService, relay } from '../relay.ts'
import { authenticate } from '../request/authenticate.ts'
import type { UpstreamResponse } from '../upstream/upstream-response.ts'
import { failSubmitting } from './fail-submitting.ts'
import { OutcomeUnknown, sendUnrepeated } from './send-once.ts'

const direct: Endpoint = { operation: 'image_generations', format: imageGenerations }
export const pictureTask: Endpoint = { ...direct, is_task: true }

export const pictureRoutes: readonly ApiRoute[] = [
  {
    ...{ method: 'POST', path: '/v1/images/generations', errors: openAiErrors, operation: 'image_generations' },
    endpoint: context => (isAsync(context) ? pictureTask : direct),
    handle: context =>
      isAsync(context) ? relay(context, pictureTask, answeredBy(answerPicture)) : relay(context, direct),
  },
  { method: 'GET', path: '/v1/images/generations/:id', errors: openAiErrors, handle: retrieve },
]

const answerPicture = (context: RelayContext, task: TaskRow) => answer(context, task, 202)

const isAsync = ({ request: { url } }: RelayContext): boolean =>
  url.includes('async=') && ['1', 'true'].includes(new URL(url).searchParams.get('async') ?? '')

/** Begins a picture, and answers with its task while it is made. */
export const answeredBy = (answer: (context: RelayContext, task: TaskRow) => Response): BackgroundService => ({
  send: sendUnrepeated,
  async begin(context, end, { dispatched }) {
    const { call } = end.billable
    const task = await beginTask(newTask(end.billable)).catch(error => end.fail(error))
    keepRunning(make(end, task, dispatched), call.departure.begin)
    return answer(context, task)
  },
})

const newTask = ({ call, caller, price }: BillableCall) => ({
  ...{ platform: 'image' as const, action: 'generate', model: call.facts.model },
  ...{ user_id: call.user_id, token_id: caller.token.id, group: caller.group, request_id: call.request_id },
  input: withoutFiles(call.body as never),
  price_basis: basisOf({ call, price }),
})

/** By tokens, a picture has no price of its own: the version of the tables says what its tokens cost. */
const basisOf = ({ call, price }: Pick<BillableCall, 'call' | 'price'>): PriceBasis => ({
  price: perCall(price.mode === 'call' ? price.model_price * price.multiplier : 0),
  choice: { units: call.facts.calls ?? 1 },
  ...{ group_ratio: price.group_ratio, quota_per_unit: price.quota_per_unit, price_version: price.price_version },
})

/** Never rejects. */
async function make(end: CallEnd, task: TaskRow, dispatched: () => Promise<UpstreamResponse>) {
  try {
    const response = await dispatched().catch(error => end.fail(asFault(error)))
    await settle(end, task, response)
  } catch (error) {
    await failSubmitting(task, error)
  } finally {
    endSubmitting(task)
  }
}

/** The process stops, and gives up what it has sent. */
const asFault = (error: unknown) => (error instanceof ClientDisconnected ? new OutcomeUnknown() : error)

/** The bill and the picture are one durable commit. @throws Fault for an answer without a picture, which costs nothing */
async function settle(end: CallEnd, task: TaskRow, response: UpstreamResponse) {
  const result = 'bytes' in response ? parseObject(new TextDecoder().decode(response.bytes)) : undefined
  if (!result || !filesOf({ platform: 'image', result }).length) return end.fail(withoutPicture())
  const { channel, key } = response
  const accepted = { upstream_id: '', channel_id: channel.id, key, status: 'SUCCESS', result } as const
  let isAccepted = false
  end.begin({
    response,
    meter: reason => meter(end.billable, response, reason),
    *condition(tx, at, charged) {
      isAccepted = yield* acceptTask(tx, task, { ...accepted, charged }, at)
      return isAccepted
    },
  })
  await end.finish('finished')
  if (!isAccepted) throw withoutPicture()
}

const withoutPicture = () => new Fault({ status: 502, code: 'relay.upstream_unusable', retry: false })

async function retrieve(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  const task = await taskOf({ user_id: user.id, platform: 'image' }, context.params.id!)
  if (!task) throw new Refusal('relay.task_not_exist', {}, 404, 'id')
  return answer(context, task)
}

/** Seconds after which a client asks again for a picture that is not finished. */
const RETRY_AFTER_SECONDS = '3'

function answer({ request, server }: RelayContext, task: TaskRow, status = 200): Response {
  const site = option('ServerAddress') || siteOf(request, server)
  const written = writePictureTask(task, (at, { url }) =>
    url && !task.kept ? undefined : site + fileAddressOf(task, `image-${at}`),
  )
  const headers = { ...headersFor(idOf(request)), ...(!isFinal(task.status) && { 'retry-after': RETRY_AFTER_SECONDS }) }
  return Response.json(written, { status, headers })
}
