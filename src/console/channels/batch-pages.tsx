/** Routes of the channels page for several channels: forms of selection, tags, copies, runs over many. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { ChannelMenu } from '../../../views/channels/row-actions.tsx'
import { RunState } from '../../../views/channels/run.tsx'
import { channelsAt } from '../../../views/channels/view.ts'
import { CHANNELS_PATH, ChannelStatus } from '../../contracts/channel.ts'
import { BatchStatus, BatchTag, TagChange } from '../../contracts/channel-batch.ts'
import { Id } from '../../contracts/paging.ts'
import { parse } from '../../contracts/parse.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import {
  type ChannelSet,
  changeChannels,
  changeTag,
  channelView,
  copyChannel,
  deleteChannels,
  endedService,
  fixAbilities,
  namesOf,
  runKinds,
  testChannels,
  updateBalance,
  updateBalances,
} from '../../domain/channels/index.ts'
import { translator } from '../../locales/index.ts'
import { errorsOf } from '../../web/forms.ts'
import { act, back, backWithUndoOfRequest, confirmDelete, listPage, openAt, Selection } from '../list-page.ts'
import { redirectTo, render } from '../page.tsx'
import { deleteMany, progressOf, setTag, tagDrawer } from './batch-overlays.tsx'
import { type ChannelsPage, ChannelsQuery, viewOf } from './query.ts'
import { show } from './show.tsx'

const access = { userPage: 'admin', query: ChannelsQuery } as const
const ofChannel = { ...access, params: Id } as const
const ofRun = { ...access, params: z.object({ kind: z.enum(runKinds) }) } as const

type ChannelRequest = ChannelsPage & { params: { id: number } }

export const channelBatchPages = listPage(CHANNELS_PATH)
  .get('/run/:kind', showRun, ofRun)
  .get('/:id/menu', showMenu, ofChannel)
  .post('/selected', applyToSelected, access)
  .post('/set-tag', saveTag, access)
  .post('/delete-all', page => removeAll(page, page.query.delete_all), access)
  .post('/delete-disabled', page => removeAll(page, undefined), access)
  .post('/tag', saveTagFields, access)
  .post('/tag/switch', switchTag, access)
  .post('/tag/test', testTag, access)
  .post('/test', page => begin(page, 'test', () => testChannels(page.caller, page.visit.language)), access)
  .post('/balance', page => begin(page, 'balance', () => updateBalances()), access)
  .post('/fix', fix, access)
  .post('/:id/copy', copy, ofChannel)
  .post('/:id/balance', refreshBalance, ofChannel)

/** The progress alone, which the page polls. */
async function showRun(page: ChannelsPage & { params: { kind: (typeof runKinds)[number] } }): Promise<Response> {
  const { visit, query, params } = page
  const run = await progressOf(params.kind, visit.language)
  return fragment(page, <RunState view={viewOf(query)} kind={params.kind} run={run} />)
}

async function showMenu(page: ChannelRequest): Promise<Response> {
  const { id, type } = await channelView(page.params.id)
  return fragment(page, <ChannelMenu id={id} ended={endedService(type)} view={viewOf(page.query)} />)
}

const fragment = ({ request, visit }: ChannelsPage, content: ReactNode) =>
  render(request, visit, content, { title: translator(visit.language)('channel.document_title') })

/** The buttons of the selection bar. */
async function applyToSelected(page: ChannelsPage): Promise<Response> {
  const { ids, action } = Selection.parse(page.body)
  const view = viewOf(page.query)
  if (!ids.length) return back(page, 'channel.select_first', {}, 'error')
  if (action === 'tag') return redirectTo(channelsAt(view, { set_tag: ids.join(',') }))
  if (action === 'delete') return redirectTo(channelsAt(view, { delete_all: ids.join(',') }))
  if (action === 'test') return begin(page, 'test', () => testChannels(page.caller, page.visit.language, { ids }))
  return setStatus(page, { ids }, action === 'enable' ? ChannelStatus.enabled : ChannelStatus.disabled)
}

async function setStatus(page: ChannelsPage, set: ChannelSet, status: number): Promise<Response> {
  const count = await changeChannels(set, { status }, page.actor)
  const done = status === ChannelStatus.enabled ? 'channel.enabled_many' : 'channel.disabled_many'
  return backWithUndoOfRequest(page, done, { count })
}

/** Starts a run in the background and shows its progress. */
async function begin(page: ChannelsPage, run: (typeof runKinds)[number], start: () => Promise<void>) {
  return act(page, async () => {
    await start()
    return redirectTo(channelsAt(viewOf(page.query), { run }))
  })
}

const tagOf = ({ query }: ChannelsPage): string => {
  if (!query.tag) throw notFound('channel.gone')
  return query.tag
}

async function switchTag(page: ChannelsPage): Promise<Response> {
  const status = parse(BatchStatus, Number(Object(page.body).status))
  return setStatus(page, { tag: tagOf(page) }, status)
}

async function testTag(page: ChannelsPage): Promise<Response> {
  const tag = tagOf(page)
  const all = { ...page, query: { ...page.query, tag: undefined } }
  return begin(all, 'test', () => testChannels(page.caller, page.visit.language, { tag }))
}

const TagForm = z.object({
  new_tag: z.string().default(''),
  models: z.string().default(''),
  groups: z.string().default(''),
  model_mapping: z.string().default(''),
  priority: z.string().default(''),
  weight: z.string().default(''),
})

/** Numbers that are left empty stay as they are, as do lists and the mapping. */
async function saveTagFields(page: ChannelsPage): Promise<Response> {
  const tag = tagOf(page)
  const form = TagForm.parse(page.body)
  const { priority, weight, ...lists } = form
  const numbers = { priority: priority || undefined, weight: weight || undefined }
  try {
    const count = await changeTag(TagChange.parse({ tag, ...lists, ...numbers }), page.actor)
    return await backWithUndoOfRequest(page, 'channel.tag_saved', { count })
  } catch (error) {
    const errors = errorsOf(error, page.visit.language)
    const view = { ...viewOf(page.query), tag: undefined }
    const opened = openAt(page, { edit_tag: tag, tag: undefined }, channelsAt(view, { edit_tag: tag }))
    return show(opened, await tagDrawer(opened, tag, form, errors))
  }
}

async function saveTag(page: ChannelsPage): Promise<Response> {
  const ids = page.query.set_tag
  const { tag, remove } = Object(page.body)
  try {
    const fields = BatchTag.parse({ ids, tag: remove ? '' : tag })
    if (!fields.tag && !remove) throw new Refusal('channel.tag_required', {}, 400, 'tag')
    const count = await changeChannels({ ids: fields.ids }, { tag: fields.tag }, page.actor)
    return await backWithUndoOfRequest(page, 'channel.tag_saved', { count })
  } catch (error) {
    const errors = errorsOf(error, page.visit.language)
    const url = channelsAt(viewOf(page.query), { set_tag: ids.join(',') })
    const opened = openAt(page, { set_tag: ids }, url)
    return show(opened, await setTag(opened, ids, errors.tag ?? Object.values(errors)[0]))
  }
}

/** Deletes once the visitor has typed the number. @param ids absent: every disabled channel */
async function removeAll(page: ChannelsPage, ids: number[] | undefined): Promise<Response> {
  const set = ids ? { ids } : ({ disabled: true } as const)
  const { length } = await namesOf(set)
  if (!length) return back(page, 'channel.gone', {}, 'error')
  return confirmDelete(page, {
    name: String(length),
    mismatch: 'channel.delete_other_number',
    remove: async () => back(page, 'channel.deleted_many', { count: await deleteChannels(set, page.actor) }),
    show: async error => {
      const overlay = ids ? { delete_all: ids.join(',') } : 'delete_disabled'
      const opened = openAt(
        page,
        ids ? { delete_all: ids } : { delete_disabled: '' },
        channelsAt(viewOf(page.query), overlay),
      )
      return show(opened, await deleteMany(opened, ids, error))
    },
  })
}

async function fix(page: ChannelsPage): Promise<Response> {
  return back(page, 'channel.fixed', { count: await fixAbilities(page.actor) })
}

/** Opens the copy. */
async function copy(page: ChannelRequest): Promise<Response> {
  const { id } = await copyChannel(page.params.id, page.actor)
  return redirectTo(channelsAt(viewOf(page.query), { edit: id }))
}

async function refreshBalance(page: ChannelRequest): Promise<Response> {
  return act(page, async () => {
    await updateBalance(page.params.id, page.caller)
    const { name } = await channelView(page.params.id)
    return back(page, 'channel.balance_updated', { name })
  })
}
