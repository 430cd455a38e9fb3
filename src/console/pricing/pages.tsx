/** Routes of the public price page, and of the names of the models that a visitor ticked on it. */

import { Elysia } from 'elysia'
import { z } from 'zod'
import { Names } from '../../../views/pricing/names.tsx'
import { Pricing } from '../../../views/pricing/pricing.tsx'
import {
  lineOf,
  type ModelPrices,
  PRICE_KINDS,
  PRICE_SORTS,
  type PriceColumn,
  type PricingView,
  pricingAt,
} from '../../../views/pricing/view.ts'
import { Role } from '../../contracts/account.ts'
import { optional } from '../../contracts/paging.ts'
import { DEFAULT_GROUP, PRICING_PATH } from '../../contracts/pricing.ts'
import type { Visit } from '../../contracts/visit.ts'
import { groupOffers, priceList } from '../../domain/pricing/index.ts'
import { recentService } from '../../domain/usage/index.ts'
import { translator } from '../../locales/index.ts'
import { isNamed } from '../../locales/makers.ts'
import { fuzzy } from '../../pure/fuzzy.ts'
import { forms } from '../../web/forms.ts'
import { localPath } from '../../web/origin.ts'
import { guard } from '../guard.ts'
import { redirectTo, render } from '../page.tsx'
import { pageAt, type RequestContext } from '../visit.ts'
import { modelPrices } from './model-prices.ts'

const Query = z.object({
  keyword: optional,
  kind: z.enum(PRICE_KINDS).optional().catch(undefined),
  vendor: optional,
  group: optional,
  all: optional,
  open: optional,
  sort: z.enum(PRICE_SORTS).optional().catch(undefined),
})

type PricePage = RequestContext & { visit: Visit; query: z.output<typeof Query> }

export const pricingPages = new Elysia()
  .use(guard)
  .use(forms)
  .get(PRICING_PATH, page => show(page), { page: 'anyone', query: Query })
  .post(`${PRICING_PATH}/selected`, showNames, { page: 'anyone' })

async function show({ request, visit, query }: PricePage, names: string[] = []): Promise<Response> {
  const { open, ...asked } = query
  const ownGroup = visit.caller?.group
  const groups = groupOffers(ownGroup ?? DEFAULT_GROUP)
  const group =
    asked.group !== undefined && Object.hasOwn(groups, asked.group) ? asked.group : (ownGroup ?? DEFAULT_GROUP)
  const view: PricingView = { ...asked, group: group === (ownGroup ?? DEFAULT_GROUP) ? undefined : group }
  const all = (await priceList(ownGroup)).models
  const inGroup = all.filter(model => model.enable_groups.includes(group))
  const price = { group_ratio: groups[group]!.ratio, quota_per_unit: visit.status.quota_per_unit }
  const recent = await recentService()
  const models = inGroup.map(model => {
    const { success, first_token_ms } = recent.get(model.model_name) ?? {}
    return { ...modelPrices(model, price), success, first_token_ms }
  })
  const content = (
    <Pricing
      view={view}
      models={sorted(found(models.filter(isWanted(view)), view.keyword ?? ''), view)}
      total={models.length}
      groups={groups}
      group={group}
      ownGroup={ownGroup}
      elsewhere={groupsBeyond(all.filter(model => !model.enable_groups.includes(group)))}
      vendors={[...new Set(models.map(model => model.vendor))].filter(Boolean).sort()}
      open={open}
      inRatios={visit.caller !== undefined && visit.caller.role >= Role.admin}
      overlay={names.length > 0 && <Names names={names} close={visit.url} />}
    />
  )
  return render(request, visit, content, { title: translator(visit.language)('pricing.title'), frame: 'public' })
}

/** By name; then all of a maker who is named in any language. */
function found(models: ModelPrices[], keyword: string): ModelPrices[] {
  const named = keyword.length > 1 ? models.filter(({ vendor }) => isNamed(vendor, keyword)) : []
  return [...new Set([...fuzzy(models, keyword, model => model.name), ...named])]
}

/** What a column sorts by; undefined goes last. */
const columns: Record<Exclude<PriceColumn, 'name'>, (model: ModelPrices) => number | undefined> = {
  input: model => lineOf(model, 'input')?.usd,
  cache_read: model => lineOf(model, 'cache_read')?.usd,
  output: model => lineOf(model, 'output')?.usd,
  context: ({ context }) => context,
  success: ({ success }) => success,
  first_token: ({ first_token_ms }) => first_token_ms,
}

/** Without a sort in the address the list is by name, and a search by how well a name fits. */
function sorted(models: ModelPrices[], { sort }: PricingView): ModelPrices[] {
  if (!sort) return models
  const sign = sort.startsWith('-') ? -1 : 1
  const column = sort.replace('-', '') as PriceColumn
  if (column === 'name') return models.toSorted((one, other) => sign * (one.name < other.name ? -1 : 1))
  const last = Number.POSITIVE_INFINITY
  const rank = (model: ModelPrices) => {
    const value = columns[column](model)
    return value === undefined ? last : sign * value
  }
  return models.toSorted((one, other) => {
    const [a, b] = [rank(one), rank(other)]
    return a === b ? 0 : a < b ? -1 : 1
  })
}

const isWanted =
  ({ kind, vendor }: PricingView) =>
  (model: ModelPrices) =>
    (kind === undefined || model.kind === kind) && (vendor === undefined || model.vendor === vendor)

const groupsBeyond = (models: { enable_groups: string[] }[]) => [
  ...new Set(models.flatMap(model => model.enable_groups)),
]

const Ticked = z.object({ ids: z.array(z.string()).default([]), returnTo: z.string().optional() })

/** For browsers without scripts: with them the names are copied at once. */
async function showNames(page: RequestContext & { visit: Visit }): Promise<Response> {
  const { ids, returnTo } = Ticked.parse(page.body)
  const url = localPath(returnTo, pricingAt({}))
  if (!ids.length) {
    const text = translator(page.visit.language)('pricing.select_first')
    return redirectTo(url, { kind: 'error', text })
  }
  const query = Query.parse(Object.fromEntries(new URL(url, page.request.url).searchParams))
  return show({ ...pageAt(page, url), query }, ids)
}
