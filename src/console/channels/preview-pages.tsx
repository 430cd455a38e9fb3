/** Route of the route finder: which channels a call would try, in which order, and why no others. */
import { z } from 'zod'
import { RouteFinder } from '../../../views/channels/route-finder.tsx'
import { optional } from '../../contracts/paging.ts'
import { DEFAULT_GROUP } from '../../contracts/pricing.ts'
import { ROUTES_PATH, RoutePreviewQuery } from '../../contracts/route-preview.ts'
import { groupsInUse } from '../../domain/channels/index.ts'
import { groupNames } from '../../domain/pricing/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import { listPage, type PageRequest } from '../list-page.ts'
import { render } from '../page.tsx'
import { pricedPreview } from './priced-preview.ts'

const Query = z.object({ group: optional, model: optional, input_tokens: optional })

export const routePreviewPages = listPage(ROUTES_PATH).get('', show, { userPage: 'admin', query: Query })

async function show({ request, visit, query }: PageRequest<z.output<typeof Query>>): Promise<Response> {
  const t = translator(visit.language)
  const asked = RoutePreviewQuery.safeParse(query)
  const error = !asked.success && query.model?.trim() ? t(asked.error.issues[0]!.message as MessageKey) : undefined
  const groups = new Set([...groupNames(), ...(await groupsInUse()), query.group?.trim() || DEFAULT_GROUP])
  const content = (
    <RouteFinder
      view={query}
      groups={[...groups]}
      route={asked.success ? await pricedPreview(asked.data) : undefined}
      error={error}
    />
  )
  return render(request, visit, content, { title: t('route.title'), status: error ? 422 : 200 })
}
