/** The channels page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import { Channels } from '../../../views/channels/channels.tsx'
import { channelColumns, HIDDEN_AT_FIRST } from '../../../views/channels/columns.tsx'
import { ConfirmDelete } from '../../../views/channels/confirm-delete.tsx'
import { ChannelDrawer } from '../../../views/channels/drawer.tsx'
import { channelsAt } from '../../../views/channels/view.ts'
import { Role } from '../../contracts/account.ts'
import { autoDisableOf, channelView, groupsInUse, providerChoices } from '../../domain/channels/index.ts'
import { groupNames, groupRatio } from '../../domain/pricing/index.ts'
import { translator } from '../../locales/index.ts'
import { commaList } from '../../pure/lists.ts'
import { newFormId } from '../../web/idempotent-form.ts'
import { cookieOf } from '../../web/request.ts'
import { hiddenColumns, pagingOf, redirectPastEnd } from '../list-page.ts'
import { render } from '../page.tsx'
import { batchOverlay } from './batch-overlays.tsx'
import { type ChannelForm, formOf, newForm } from './form.ts'
import { type ChannelsPage, viewOf } from './query.ts'
import { rowsOf } from './rows.ts'

/** @param refused a form over the list with its errors, in place of what the address opens. Status 422. */
export async function show(request: ChannelsPage, refused?: ReactNode): Promise<Response> {
  const { visit, query } = request
  const view = viewOf(query)
  const paging = pagingOf(request)
  const { page, size } = paging
  const { items, total, count, byTag, byId } = await rowsOf(request, view)
  const redirect = redirectPastEnd(paging, total, last => channelsAt({ ...view, page: last }))
  if (redirect) return redirect
  const content = (
    <Channels
      list={{ items, total, page, page_size: size }}
      count={count}
      view={view}
      groups={await filterGroups()}
      hidden={hidden(request.request)}
      byTag={byTag}
      byId={byId}
      over={refused ?? (await overlay(request))}
    />
  )
  const title = translator(visit.language)('channel.document_title')
  return render(request.request, visit, content, { title, status: refused ? 422 : 200 })
}

/** Hidden columns: the reader's choice, or those that are hidden at first. */
const hidden = (request: Request) =>
  cookieOf(request, channelColumns.cookie) === undefined ? HIDDEN_AT_FIRST : hiddenColumns(request, channelColumns)

async function overlay(page: ChannelsPage): Promise<ReactNode> {
  const { query } = page
  if (query.new !== undefined) return drawer(page, { ...newForm, form_id: newFormId() })
  if (query.edit) return drawer(page, formOf(await channelView(query.edit)))
  if (!query.delete) return batchOverlay(page)
  const { id, name } = await channelView(query.delete)
  return <ConfirmDelete view={viewOf(query)} id={id} name={name} />
}

/** The form of a new channel or of the one that the address names. */
export async function drawer({ query, caller }: ChannelsPage, form: ChannelForm, errors: Record<string, string> = {}) {
  const channel = query.edit ? await channelView(query.edit) : undefined
  const groups = new Set([...groupNames(), ...commaList(channel?.group ?? '')])
  return (
    <ChannelDrawer
      view={viewOf(query)}
      edited={channel && withState(channel)}
      form={form}
      errors={errors}
      is_root={caller.role >= Role.root}
      providers={providerChoices()}
      groups={[...groups].map(name => ({ name, ratio: groupRatio(name) }))}
    />
  )
}

const withState = ({ key, ...channel }: Awaited<ReturnType<typeof channelView>>) => ({
  ...channel,
  masked: key,
  closed: autoDisableOf(channel),
})

/** Groups with a ratio, and those that a channel still names. */
const filterGroups = async () => [...new Set([...groupNames(), ...(await groupsInUse())])]
