import { Elysia } from 'elysia'
import { Home } from '../../../views/home/home.tsx'
import { DEFAULT_GROUP, type PricedModel, QuotaType } from '../../contracts/pricing.ts'
import type { Visit } from '../../contracts/visit.ts'
import { groupRatio, priceList } from '../../domain/pricing/index.ts'
import { translate } from '../../locales/index.ts'
import { siteOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { render } from '../page.tsx'

type Server = Parameters<typeof siteOf>[1]

const MILLION = 1_000_000

export const homePages = new Elysia()
  .use(guard)
  .get('/', ({ request, server, visit, query }) => home(request, server, visit, query.model ?? ''), { page: 'anyone' })

async function home(request: Request, server: Server, visit: Visit, search: string) {
  const group = visit.caller?.group ?? DEFAULT_GROUP
  const ratio = groupRatio(group)
  const { models } = await priceList(group)
  const { server_address, quota_per_unit } = visit.status
  const listed = models.map(model => priced(model, ratio, quota_per_unit))
  const prices = { models: listed, group: { name: group, ratio }, search }
  const page = <Home visit={visit} base={`${server_address || siteOf(request, server)}/v1`} {...prices} />
  return render(request, visit, page, { title: translate(visit.language, 'home.title'), frame: 'public' })
}

function priced(model: PricedModel, group_ratio: number, quota_per_unit: number) {
  const { model_name: name, model_ratio, model_price, completion_ratio, cache_ratio } = model
  if (model.quota_type === QuotaType.call) return { name, per_call: model_price * group_ratio }
  // A ratio of 1 is one unit of quota for a token.
  const input = (model_ratio * group_ratio * MILLION) / quota_per_unit
  return { name, input, cached: input * cache_ratio, output: input * completion_ratio }
}
