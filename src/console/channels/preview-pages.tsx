/** Route of the route finder: which channels a call would try, in which order, and why no others. */
import { z } from 'zod'
import { RouteFinder } from '../../../views/channels/route-finder.tsx'
import { optional } from '../../contracts/paging.ts'
import { DEFAULT_GROUP } from '../../contracts/pricing.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { ROUTES_PATH, RoutePreviewQuery } from '../../contracts/route-preview.ts'
import { groupsInUse } from '../../domain/channels/index.ts'
import { groupNames } from '../../domain/pricing/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import { listPage, type PageRequest } from '../list-page.ts'
import { render } from '../page.tsx'
import { pricedPreview } from './priced-preview.ts'

const Query = z.object({ group: optional, model: optional, input_tokens: optional, key: optional })

export const routePreviewPages = listPage(ROUTES_PATH).get('', show, { userPage: 'admin', query: Query })

async function show({ request, visit, query }: PageRequest<z.output<typeof Query>>): Promise<Response> {
  const t = translator(visit.language)
  const asked = RoutePreviewQuery.safeParse(query)
  const invalid = !asked.success && query.model?.trim() ? t(asked.error.issues[0]!.message as MessageKey) : undefined
  const route = asked.success ? await pricedPreview(asked.data).catch(refusalOf) : undefined
  const error = route instanceof Refusal ? t(route.code, route.params) : invalid
  const groups = new Set([...groupNames(), ...(await groupsInUse()), query.group?.trim() || DEFAULT_GROUP])
  const content = (
    <RouteFinder
      view={route && !(route instanceof Refusal) ? { ...query, group: route.group } : query}
      groups={[...groups]}
      route={route instanceof Refusal ? undefined : route}
      error={error}
    />
  )
  return render(request, visit, content, { title: t('route.title'), status: error ? 422 : 200 })
}

/** @throws what is no refusal */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
