/** Prices a task that the old gateway has accepted, as if it had been submitted here. */
import type { PriceBasis } from '../../billing/task-price.ts'
import type { ShadowPrice } from '../../contracts/shadow.ts'
import { apiFor, type Candidate, servingChannels, withApi } from '../../domain/routing/index.ts'
import type { ShadowBill } from '../../domain/shadow/index.ts'
import type { ReadCall } from '../call.ts'
import type { ApiCaller } from '../caller.ts'
import { billAccepted } from '../charging/quote-task.ts'
import { planTask, type TaskAnswer, type TaskEndpoint } from '../tasks/submit.ts'
import { oldGateway } from './old-gateway.ts'

interface SubmittedTask {
  read: ReadCall
  caller: ApiCaller
  endpoint: TaskEndpoint
}

/** What it continues is known to the old gateway alone. @throws Refusal or Fault with which it would have ended here */
export async function shadowTaskBill(task: SubmittedTask, answer: TaskAnswer): Promise<ShadowBill> {
  const { read, caller, endpoint } = task
  endpoint.check?.(read)
  const able = endpoint.plan ? await candidatesOf(read, caller) : []
  const { details, price_basis } = planTask(task, able)
  const accepted = endpoint.acceptanceOf?.(answer, details.action ?? endpoint.action)
  const { quota, lines } = billAccepted(price_basis, accepted?.is_free)
  const amount = lines.reduce((sum, line) => sum + Number(line.amount), 0)
  const price = detailsOf(price_basis, amount / price_basis.quota_per_unit)
  return { prompt_tokens: 0, completion_tokens: 0, quota, is_estimated: false, price }
}

/** What a request leaves open, the first channel of here decides; without any, what other gateways usually do. */
async function candidatesOf(read: ReadCall, { group }: ApiCaller): Promise<Candidate[]> {
  const able = withApi(await servingChannels(group, read.facts.model), read)
  const api = apiFor(oldGateway, read)!
  return able.length ? able : [{ channel: oldGateway, api }]
}

/** @param usd of the whole task, before the group */
const detailsOf = ({ price, group_ratio }: PriceBasis, usd: number): ShadowPrice => ({
  ...{ model_ratio: 0, completion_ratio: 0, cache_ratio: 0, cache_creation_ratio: 0, model_price: usd, group_ratio },
  ...{ cache_tokens: 0, cache_creation_tokens: 0, reasoning_tokens: 0 },
  has_more: price.unit !== 'call' || Boolean(price.when ?? price.add ?? price.min),
})
