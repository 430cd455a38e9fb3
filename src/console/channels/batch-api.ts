/** JSON API of several channels at once for administrators: batches, tags, copies, and runs over many of them. */
import { Elysia } from 'elysia'
import { z } from 'zod'
import { ChannelStatus } from '../../contracts/channel.ts'
import { BatchTag, ChannelIds, TagChange, TagName } from '../../contracts/channel-batch.ts'
import { Id } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import {
  changeChannels,
  changeTag,
  copyChannel,
  deleteChannels,
  fixAbilities,
  type RunKind,
  runKinds,
  runOf,
  testChannels,
} from '../../domain/channels/index.ts'
import { textOf } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { languageFor } from '../../web/request.ts'
import { guard } from '../guard.ts'

const Run = z.object({ kind: z.enum(runKinds) })

/** `data` of a batch is the number of channels that were there. */
export const channelBatchApi = new Elysia()
  .use(envelope)
  .use(guard)
  .group('/api/channel', { admin: true }, admin =>
    admin
      .post('/batch', async ({ body, actor }) => ok(await deleteChannels(parse(ChannelIds, body), actor)))
      .post('/batch/tag', async ({ body, actor }) => {
        const { ids, tag } = parse(BatchTag, body)
        return ok(await changeChannels({ ids }, { tag }, actor))
      })
      .post('/batch/enabled', async ({ body, actor }) =>
        ok(await changeChannels(parse(ChannelIds, body), { status: ChannelStatus.enabled }, actor)),
      )
      .post('/batch/disabled', async ({ body, actor }) =>
        ok(await changeChannels(parse(ChannelIds, body), { status: ChannelStatus.disabled }, actor)),
      )
      .post('/batch/test', async ({ request, body, caller }) =>
        ok(await testChannels(caller, languageFor(request), parse(ChannelIds, body))),
      )
      .put('/tag', async ({ body, actor }) => ok(await changeTag(parse(TagChange, body), actor)))
      .post('/tag/enabled', async ({ body, actor }) =>
        ok(await changeChannels(parse(TagName, body), { status: ChannelStatus.enabled }, actor)),
      )
      .post('/tag/disabled', async ({ body, actor }) =>
        ok(await changeChannels(parse(TagName, body), { status: ChannelStatus.disabled }, actor)),
      )
      .post('/tag/test', async ({ request, body, caller }) =>
        ok(await testChannels(caller, languageFor(request), parse(TagName, body))),
      )
      .delete('/disabled', async ({ actor }) => ok(await deleteChannels({ disabled: true }, actor)))
      .post('/fix', async ({ actor }) => ok(await fixAbilities(actor)))
      .post('/copy/:id', async ({ params, actor }) => ok(await copyChannel(params.id, actor)), { params: Id })
      .get('/run/:kind', async ({ request, params }) => ok(await progress(params.kind, languageFor(request))), {
        params: Run,
      }),
  )

/** Of the latest run, with failures in words. @returns undefined when there was none within a day */
async function progress(kind: RunKind, language: Language) {
  const run = await runOf(kind)
  if (!run) return undefined
  const results = run.results.map(({ failure, ...result }) => ({
    ...result,
    ...(failure ? { message: textOf(language, failure) } : {}),
  }))
  return { ...run, results }
}
