/** Route of the public home page: the operator's, or the built-in one with the prices of the visitor's group. */

import { Elysia } from 'elysia'
import { Announcement } from '../../../views/branding/announcement.tsx'
import { Home } from '../../../views/home/home.tsx'
import { DEFAULT_GROUP, type PricedModel, QuotaType } from '../../contracts/pricing.ts'
import { SentCallParams, SentCallQuery } from '../../contracts/sent-call.ts'
import { TRY_IT_RECEIPT_PATH } from '../../contracts/try-it.ts'
import type { Visit } from '../../contracts/visit.ts'
import { groupRatio, priceList } from '../../domain/pricing/index.ts'
import { translate } from '../../locales/index.ts'
import { siteOf } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { announcementFor, operatorPage } from '../operator-content.tsx'
import { render } from '../page.tsx'
import type { RequestContext } from '../visit.ts'
import { showTryItReceipt, tryItModel } from './try-it.tsx'

const TOKENS_PER_PRICE = 1_000_000

export const homePages = new Elysia()
  .use(guard)
  .get('/', home, { page: 'anyone' })
  .get(`${TRY_IT_RECEIPT_PATH}/:request_id`, showTryItReceipt, {
    ...{ page: 'anyone', params: SentCallParams, query: SentCallQuery },
  })

type HomeRequest = RequestContext & { visit: Visit; query: Record<string, string> }

async function home(context: HomeRequest): Promise<Response> {
  const { request, visit } = context
  const title = translate(visit.language, 'home.title')
  const announcement = await announcementFor(request)
  const own = await operatorPage('HomePageContent', title, visit)
  const page = (
    <>
      {announcement && <Announcement {...announcement} />}
      {own ? own.content : await builtInHome(context)}
    </>
  )
  return render(request, visit, page, { title, frame: 'public', headers: own?.headers })
}

async function builtInHome({ request, server, visit, query }: HomeRequest) {
  const group = visit.caller?.group ?? DEFAULT_GROUP
  const ratio = groupRatio(group)
  const { models } = await priceList(group)
  const { server_address, quota_per_unit } = visit.status
  return (
    <Home
      visit={visit}
      tried={tryItModel()}
      base={`${server_address || siteOf(request, server)}/v1`}
      models={models
        .filter(model => model.enable_groups.includes(group))
        .map(model => priceOf(model, ratio, quota_per_unit))}
      group={{ name: group, ratio }}
      search={query.model ?? ''}
    />
  )
}

function priceOf(model: PricedModel, group_ratio: number, quota_per_unit: number) {
  const { model_name: name, model_ratio, model_price, completion_ratio, cache_ratio, task_price } = model
  if (model.unpriced) return { name }
  if (model.quota_type === QuotaType.call) return { name, per_call: model_price * group_ratio, unit: task_price?.unit }
  // A ratio of 1 is one unit of quota for a token.
  const input = (model_ratio * group_ratio * TOKENS_PER_PRICE) / quota_per_unit
  return { name, input, cached: input * cache_ratio, output: input * completion_ratio }
}
