/** Route of a channel's history. */
import { z } from 'zod'
import { ChannelHistoryPage } from '../../../views/channels/history.tsx'
import { CHANNELS_PATH } from '../../contracts/channel.ts'
import { HISTORY_DAYS, HISTORY_RANGES } from '../../contracts/channel-history.ts'
import { Id } from '../../contracts/paging.ts'
import { translator } from '../../locales/index.ts'
import { dayOf } from '../../pure/periods.ts'
import { listPage, type PageRequest } from '../list-page.ts'
import { render } from '../page.tsx'
import { historyOf } from './history.ts'

const Query = z.object({
  days: z.coerce.number().pipe(z.literal(HISTORY_RANGES)).optional().catch(undefined),
  day: z
    .string()
    .refine(text => dayOf(text) !== undefined)
    .optional()
    .catch(undefined),
  model: z.string().optional().catch(undefined),
  as: z.literal('table').optional().catch(undefined),
})

type HistoryRequest = PageRequest<z.output<typeof Query>> & { params: { id: number } }

export const channelHistoryPages = listPage(CHANNELS_PATH).get('/:id/history', show, {
  userPage: 'admin',
  query: Query,
  params: Id,
})

/** @throws Refusal 404 */
async function show({ request, visit, query, params }: HistoryRequest): Promise<Response> {
  const view = { ...query, model: query.model || undefined, days: query.days === HISTORY_DAYS ? undefined : query.days }
  const history = await historyOf(params.id, view, visit)
  const title = translator(visit.language)('history.title', { name: history.name })
  return render(request, visit, <ChannelHistoryPage history={history} view={view} />, { title })
}
