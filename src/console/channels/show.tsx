/** The channel page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Channels } from '../../../views/channels/channels.tsx'
import { ConfirmDelete } from '../../../views/channels/confirm-delete.tsx'
import { ChannelDrawer } from '../../../views/channels/drawer.tsx'
import { type ChannelsView, channelsAt } from '../../../views/channels/view.ts'
import type { SessionUser } from '../../contracts/account.ts'
import { optional, pageOf } from '../../contracts/paging.ts'
import type { Visit } from '../../contracts/visit.ts'
import {
  autoDisableOf,
  channelView,
  groupsInUse,
  listItemsOf,
  pageOfChannels,
  providerChoices,
} from '../../domain/channels/index.ts'
import { groupNames, groupRatio } from '../../domain/pricing/index.ts'
import { translator } from '../../locales/index.ts'
import { commaList } from '../../pure/lists.ts'
import { lastPage } from '../../pure/paging.ts'
import { newFormId } from '../../web/idempotent-form.ts'
import { redirectTo, render } from '../page.tsx'
import { type ChannelForm, formOf, newForm } from './form.ts'

const whole = z.coerce.number().pipe(z.int().positive()).optional().catch(undefined)

/** What an address of the page can say. */
export const ChannelsQuery = z.object({
  p: optional,
  keyword: optional,
  group: optional,
  model: optional,
  status: whole,
  new: z.string().optional(),
  edit: whole,
  delete: whole,
})

export interface Asked {
  request: Request
  visit: Visit
  caller: SessionUser
  query: z.output<typeof ChannelsQuery>
}

export const viewOf = ({ p, keyword, group, model, status }: Asked['query']): ChannelsView => ({
  keyword,
  group,
  model,
  status,
  page: pageOf({ p }, 1).page,
})

export async function show(asked: Asked, over?: ReactNode, status = 200): Promise<Response> {
  const { request, visit, query } = asked
  const view = viewOf(query)
  const { page, size } = pageOf({ p: query.p, size: String(visit.page_size) }, 1)
  const { channels, total } = await pageOfChannels({ ...view, p: String(page - 1), page_size: String(size) })
  const last = lastPage(size, total)
  // The last row of the last page may just have been deleted.
  if (page > last) return redirectTo(channelsAt({ ...view, page: last }))
  const part = (
    <Channels
      list={{ items: await listItemsOf(channels, groupRatio), total, page, page_size: size }}
      view={view}
      groups={await allGroups()}
      over={over ?? (await overOf(asked))}
    />
  )
  return render(request, visit, part, { title: translator(visit.language)('channel.document_title'), status })
}

async function overOf(asked: Asked): Promise<ReactNode> {
  const { query } = asked
  if (query.new !== undefined) return drawer(asked, { ...newForm, form_id: newFormId() })
  if (query.edit) return drawer(asked, formOf(await channelView(query.edit)))
  if (!query.delete) return undefined
  const { id, name } = await channelView(query.delete)
  return <ConfirmDelete view={viewOf(query)} id={id} name={name} />
}

/** The form of a new channel or of the one that the address names. */
export async function drawer({ query }: Asked, typed: ChannelForm, errors: Record<string, string> = {}) {
  const edited = query.edit ? await channelView(query.edit) : undefined
  const names = new Set([...groupNames(), ...commaList(edited?.group ?? '')])
  return (
    <ChannelDrawer
      view={viewOf(query)}
      edited={edited && standingOf(edited)}
      typed={typed}
      errors={errors}
      providers={providerChoices()}
      groups={[...names].map(name => ({ name, ratio: groupRatio(name) }))}
    />
  )
}

const standingOf = ({ key, ...channel }: Awaited<ReturnType<typeof channelView>>) => ({
  ...channel,
  masked: key,
  closed: autoDisableOf(channel),
})

/** Those with a ratio, and those that a channel still names. */
const allGroups = async () => [...new Set([...groupNames(), ...(await groupsInUse())])]
