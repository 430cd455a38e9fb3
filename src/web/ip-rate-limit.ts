/** Rate limits per client address: for the console API, for pages, and for actions that attackers guess at. */
import { Elysia } from 'elysia'
import { take } from '../cluster/limits.ts'
import { SlidingWindow } from '../cluster/sliding-window.ts'
import { Refusal } from '../contracts/refusal.ts'
import { RELAY_PREFIXES } from '../contracts/relay.ts'
import { env } from '../env.ts'
import { type Awaitable, chain } from '../pure/awaitable.ts'
import { subscriberAt } from '../pure/ip.ts'
import { refuse } from './envelope.ts'
import { countLimitedAddress } from './limited.ts'
import { addressOf } from './request.ts'

const limitOf = {
  api: { count: env.GLOBAL_API_RATE_LIMIT, seconds: env.GLOBAL_API_RATE_LIMIT_DURATION },
  web: { count: env.GLOBAL_WEB_RATE_LIMIT, seconds: env.GLOBAL_WEB_RATE_LIMIT_DURATION },
  critical: { count: env.CRITICAL_RATE_LIMIT, seconds: env.CRITICAL_RATE_LIMIT_DURATION },
}

type Server = Parameters<typeof addressOf>[1]

const windows = {
  api: new SlidingWindow('api'),
  web: new SlidingWindow('web'),
  critical: new SlidingWindow('critical'),
}

/** @throws Refusal 429 with the seconds to wait. */
export async function checkLimit(kind: keyof typeof limitOf, request: Request, server: Server, action = '') {
  const seconds = await takePlace(kind, request, server, action)
  if (seconds) throw tooMany(seconds)
}

/** @returns 0, or the seconds to wait */
function takePlace(kind: keyof typeof limitOf, request: Request, server: Server, action = ''): Awaitable<number> {
  const { count, seconds } = limitOf[kind]
  const taken = take(windows[kind], `${action} ${subscriberAt(addressOf(request, server))}`, count, seconds)
  return chain(taken, wait => {
    if (wait) countLimitedAddress(kind)
    return wait
  })
}

const tooMany = (seconds: number) => new Refusal('error.too_many_requests', { seconds }, 429)

/** The relay has its own limits; health checks have none. */
/** Paths of Midjourney may begin with a mode. */
const exempt = [...RELAY_PREFIXES, 'mj-[a-z]+', 'healthz', 'readyz', 'metrics']
const unlimited = new RegExp(`^\\w+://[^/]+/(${exempt.join('|')})([/?]|$)`)
const ofApi = /^\/(api|dashboard)\//

/** Applies the limit of the API or of pages to every other request. */
export const limits = new Elysia({ name: 'limits' }).onRequest(({ request, server }) => {
  // Most requests are calls: tested before the URL is parsed.
  if (unlimited.test(request.url)) return
  const path = new URL(request.url).pathname
  const place = takePlace(ofApi.test(path) ? 'api' : 'web', request, server)
  return chain(place, seconds => (seconds ? refuse(tooMany(seconds), request) : undefined))
})

/** Limits an action on its own: `{ critical: 'login' }` on a route. */
export const criticalLimit = new Elysia({ name: 'critical-limit' }).macro({
  critical: (action: string) => ({
    beforeHandle: ({ request, server }) => checkLimit('critical', request, server, action),
  }),
})
