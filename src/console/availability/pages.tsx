/** Route of the public status page: as an unknown address while its option is off. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { Availability } from '../../../views/availability/availability.tsx'
import type { ModelStatus } from '../../../views/availability/view.ts'
import { AVAILABILITY_DAYS, AVAILABILITY_PATH, type Health, healthOf } from '../../contracts/availability.ts'
import { optional } from '../../contracts/paging.ts'
import { notFound } from '../../contracts/refusal.ts'
import type { Visit } from '../../contracts/visit.ts'
import { option } from '../../domain/options/index.ts'
import { priceList } from '../../domain/pricing/index.ts'
import { availability, recentService } from '../../domain/usage/index.ts'
import { translator } from '../../locales/index.ts'
import { fuzzy } from '../../pure/fuzzy.ts'
import { dayNumber } from '../../pure/periods.ts'
import { guard } from '../guard.ts'
import { render } from '../page.tsx'
import type { RequestContext } from '../visit.ts'

const Query = z.object({ keyword: optional, all: optional })

export const availabilityPages = new Elysia().use(guard).get(AVAILABILITY_PATH, show, { page: 'anyone', query: Query })

type AvailabilityPage = RequestContext & { visit: Visit; query: z.output<typeof Query> }

/** Models that are shown until the visitor wants all. */
const FIRST_MODELS = 50

async function show({ request, visit, query: view }: AvailabilityPage): Promise<Response> {
  if (!option('StatusPageEnabled')) throw notFound()
  const [statuses, { from }] = await Promise.all([statusesOfVisitors(), availability()])
  const named = view.keyword ? fuzzy(statuses, view.keyword, ({ name }) => name) : statuses
  const count = (health: Health) => statuses.filter(({ now }) => now === health).length
  const content = (
    <Availability
      view={view}
      models={view.all ? named : named.slice(0, FIRST_MODELS)}
      count={named.length}
      total={statuses.length}
      healths={{ good: count('good'), degraded: count('degraded'), failing: count('failing'), idle: count('idle') }}
      first={dayNumber(from, 'UTC')}
    />
  )
  return render(request, visit, content, { title: translator(visit.language)('availability.title'), frame: 'public' })
}

/** Of the models that a visitor sees on the price page; those with failures first. */
async function statusesOfVisitors(): Promise<ModelStatus[]> {
  const [{ models }, { models: known }, recent] = await Promise.all([priceList(), availability(), recentService()])
  const statuses = models.map(({ model_name: name }): ModelStatus => {
    const lately = recent.get(name)
    const { days = emptyDays, total = none, first_token_ms } = known.get(name) ?? {}
    // A few attempts say nothing of a model's health, but that it is in use.
    const now = !lately ? 'idle' : lately.success === undefined ? 'good' : healthOf(lately)
    return { name, now, days, total, first_token_ms }
  })
  return statuses.sort((one, other) => order[one.now] - order[other.now] || (one.name < other.name ? -1 : 1))
}

const order: Record<Health, number> = { failing: 0, degraded: 1, good: 2, idle: 3 }

const none = { succeeded: 0, failed: 0 }
const emptyDays = Array.from({ length: AVAILABILITY_DAYS }, () => none)
