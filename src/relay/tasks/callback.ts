/** Callbacks of upstreams: the address authenticates them. */
import { callbackTarget, takeCallback } from '../../domain/tasks/index.ts'
import { BodyShare } from '../../web/body-budget.ts'
import type { RelayContext } from '../endpoint.ts'
import { notFound } from '../errors/not-found.ts'
import { readJsonOf } from '../request/read-request.ts'

/**
 * The address is checked before the body is read.
 * @throws Refusal 404 for a wrong secret, and for what is no state of the task; 4xx for a body that cannot be read
 */
export async function takeCallbackAt({ request, params }: Pick<RelayContext, 'request' | 'params'>): Promise<Response> {
  const { platform = '', secret = '', task: task_id = '' } = params
  const target = await callbackTarget({ platform, secret, task_id })
  if (!target) return notFound(request)
  using share = new BodyShare('callbacks')
  const body = await readJsonOf(request, share)
  return (await takeCallback(target, body)) ? new Response(null, { status: 204 }) : notFound(request)
}
