/** JSON API of channels and route previews for administrators, and of the models that a user may call. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { ChannelChange, KeyChange, ModelNames, NewChannel, UnsavedChannel } from '../../contracts/channel.ts'
import { HistoryQuery } from '../../contracts/channel-history.ts'
import { Id, optional, PAGE_SIZE_MAX } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { RoutePreviewQuery } from '../../contracts/route-preview.ts'
import {
  type ChannelQuery,
  changeChannel,
  channelView,
  createChannel,
  deleteChannel,
  modelCatalogue,
  modelsByType,
  modelsOf,
  modelsOfUnsaved,
  pageInTagMode,
  pageOfChannels,
  switchKey,
  testChannel,
  testChannels,
  updateBalance,
  updateBalances,
} from '../../domain/channels/index.ts'
import { unpriced, usableGroups } from '../../domain/pricing/index.ts'
import { enabledAbilities, offeredModels } from '../../domain/routing/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { languageFor } from '../../web/request.ts'
import { guard } from '../guard.ts'
import { historyData } from './history.ts'
import { pricedPreview } from './priced-preview.ts'

const isTrue = optional.transform(text => text === 'true')

const ListQuery = z.object({
  p: optional,
  page_size: optional,
  keyword: optional,
  group: optional,
  model: optional,
  id_sort: isTrue,
  tag_mode: isTrue,
})
type ListQuery = z.output<typeof ListQuery>

const HistoryAddress = z.object({ days: optional, model: optional })
const PreviewQuery = z.object({ group: optional, model: optional, input_tokens: optional, key: optional })

/** `data` is a bare array on this wire, with `total` beside it: the number of tags and untagged channels in tag mode. */
async function listing({ tag_mode, ...query }: ChannelQuery & { tag_mode: boolean }) {
  const { channels, total } = await (tag_mode ? pageInTagMode(query) : pageOfChannels(query))
  return { ...ok(channels), total }
}

/** A search without a size returns the largest page. */
const search = (query: ListQuery) => listing({ ...query, page_size: query.page_size ?? String(PAGE_SIZE_MAX) })

export const channelApi = new Elysia()
  .use(envelope)
  .use(guard)
  .group('/api/channel', { admin: true }, admin =>
    admin
      .get('/', ({ query: { keyword, group, model, ...query } }) => listing(query), { query: ListQuery })
      .get('/search', ({ query }) => search(query), { query: ListQuery })
      .get('/models', () => ok(modelCatalogue()))
      .get('/models_enabled', async () =>
        ok([...new Set((await enabledAbilities()).map(ability => ability.model))].sort()),
      )
      .get(
        '/test/:id',
        async ({ request, params, query, caller }) => {
          const { ok, message, seconds } = await testChannel(params.id, query.model, caller, languageFor(request))
          return { success: ok, message, time: seconds, data: null }
        },
        { params: Id, query: ListQuery },
      )
      .get('/test', async ({ request, caller }) => ok(await testChannels(caller, languageFor(request))))
      .get('/fetch_models/:id', async ({ params, caller }) => ok(await modelsOf(params.id, caller)), { params: Id })
      .post('/fetch_models', async ({ body, caller }) => ok(await modelsOfUnsaved(parse(UnsavedChannel, body), caller)))
      .get(
        '/update_balance/:id',
        async ({ params, caller }) => {
          const balance = await updateBalance(params.id, caller)
          return { ...ok(balance), balance }
        },
        { params: Id },
      )
      .get('/update_balance', async () => ok(await updateBalances()))
      .get('/routes', async ({ query }) => ok(await pricedPreview(parse(RoutePreviewQuery, query))), {
        query: PreviewQuery,
      })
      .post('/unpriced', ({ body }) => {
        const { models, prefix } = parse(ModelNames, body)
        return ok(unpriced(models, prefix))
      })
      .get('/:id', async ({ params }) => ok(await channelView(params.id)), { params: Id })
      .get(
        '/:id/history',
        async ({ request, params, query }) =>
          ok(await historyData(params.id, parse(HistoryQuery, query), languageFor(request))),
        { params: Id, query: HistoryAddress },
      )
      .post('/', async ({ body, actor }) => ok(await createChannel(parse(NewChannel, body), actor)))
      .put('/', async ({ body, actor }) => ok(await changeChannel(parse(ChannelChange, body), actor)))
      .put(
        '/:id/keys/:key',
        async ({ params, body, actor }) =>
          ok(await switchKey(params.id, params.key, parse(KeyChange, body).status, actor)),
        { params: Id.extend({ key: z.string() }) },
      )
      .delete('/:id', async ({ params, actor }) => ok(await deleteChannel(params.id, actor)), { params: Id }),
  )
  .get('/api/models', () => ok(modelsByType()), { signedIn: true })
  .get('/api/user/models', async ({ caller }) => ok(await offeredModels(Object.keys(usableGroups(caller.group)))), {
    signedIn: true,
  })
