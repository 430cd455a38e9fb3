/** `GET /metrics` for Prometheus: who may read it, and what it says. */
import '../cluster/metrics.ts'
import { isEqual } from '../crypto/sealing.ts'
import '../db/metrics.ts'
import { env } from '../env.ts'
import { EXPOSITION_TYPE, exposition } from '../process/metrics/exposition.ts'
import '../process/metrics/process-metrics.ts'
import { inRange } from '../pure/ip.ts'
import { refuse } from './envelope.ts'
import { invalidHost, namesHost } from './known-host.ts'
import { addressOf } from './request.ts'

type Server = Parameters<typeof addressOf>[1]

/** Without a token or a list of addresses there are no metrics. */
export const hasMetrics = () => env.METRICS_TOKEN !== undefined || env.METRICS_ALLOW.length > 0

/** By the token or by the address, where both are set. */
function mayRead(request: Request, server: Server): boolean {
  if (env.METRICS_ALLOW.length && inRange(addressOf(request, server), env.METRICS_ALLOW)) return true
  const given = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  return env.METRICS_TOKEN !== undefined && isEqual(given?.trim(), env.METRICS_TOKEN)
}

export async function metricsResponse(request: Request, server: Server): Promise<Response> {
  if (!namesHost(request)) return refuse(invalidHost(), request)
  if (!mayRead(request, server)) return refused()
  return new Response(await exposition(), { headers: { 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' } })
}

const refused = () =>
  env.METRICS_TOKEN === undefined
    ? new Response('this address is not in METRICS_ALLOW\n', { status: 403 })
    : new Response('METRICS_TOKEN is required\n', { status: 401, headers: { 'www-authenticate': 'Bearer' } })
