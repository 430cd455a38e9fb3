/** The channels page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { ProviderChoice } from '../../../client/channels/provider-choice.ts'
import { Channels } from '../../../views/channels/channels.tsx'
import { ConfirmDelete } from '../../../views/channels/confirm-delete.tsx'
import { ChannelDrawer } from '../../../views/channels/drawer.tsx'
import type { TestResult } from '../../../views/channels/test-result.tsx'
import { type ChannelsView, channelsAt } from '../../../views/channels/view.ts'
import { Role } from '../../contracts/account.ts'
import { modelNames } from '../../contracts/channel.ts'
import { optional, pageOf } from '../../contracts/paging.ts'
import {
  autoDisableOf,
  channelNames,
  channelView,
  groupsInUse,
  listItemsOf,
  pageOfChannels,
  providerChoices,
} from '../../domain/channels/index.ts'
import { groupNames, groupRatio, unpriced } from '../../domain/pricing/index.ts'
import { translator } from '../../locales/index.ts'
import { commaList } from '../../pure/lists.ts'
import { newFormId } from '../../web/idempotent-form.ts'
import { type PageRequest, pagingOf, redirectPastEnd } from '../list-page.ts'
import { render } from '../page.tsx'
import { type ChannelForm, formOf, newForm } from './form.ts'

const whole = z.coerce.number().pipe(z.int().positive()).optional().catch(undefined)

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

export type ChannelsPage = PageRequest<z.output<typeof ChannelsQuery>>

export const viewOf = ({ p, keyword, group, model, status }: ChannelsPage['query']): ChannelsView => ({
  keyword,
  group,
  model,
  status,
  page: pageOf({ p }, 1).page,
})

/** @param over what lies over the list in place of what the address opens, by default a form with its errors: 422. */
export async function show(request: ChannelsPage, over?: ReactNode, status = over ? 422 : 200): Promise<Response> {
  const { visit, query } = request
  const view = viewOf(query)
  const paging = pagingOf(request)
  const { page, size } = paging
  const { channels, total } = await pageOfChannels({ ...view, p: String(page - 1), page_size: String(size) })
  const redirect = redirectPastEnd(paging, total, last => channelsAt({ ...view, page: last }))
  if (redirect) return redirect
  const content = (
    <Channels
      list={{ items: await listItemsOf(channels, groupRatio), total, page, page_size: size }}
      view={view}
      groups={await filterGroups()}
      over={over ?? (await overlay(request))}
    />
  )
  const title = translator(visit.language)('channel.document_title')
  return render(request.request, visit, content, { title, status })
}

async function overlay(page: ChannelsPage): Promise<ReactNode> {
  const { query } = page
  if (query.new !== undefined) return drawer(page, await startForm())
  if (query.edit) return drawer(page, formOf(await channelView(query.edit)))
  if (!query.delete) return undefined
  const { id, name } = await channelView(query.delete)
  return <ConfirmDelete view={viewOf(query)} id={id} name={name} />
}

/** The form of a new channel or of the one that the address names. */
export async function drawer(
  { query, caller }: ChannelsPage,
  form: ChannelForm,
  errors: Record<string, string> = {},
  tested?: TestResult,
) {
  const channel = query.edit ? await channelView(query.edit) : undefined
  const groups = new Set([...groupNames(), ...commaList(channel?.group ?? '')])
  return (
    <ChannelDrawer
      view={viewOf(query)}
      edited={channel && withState(channel)}
      form={form}
      errors={errors}
      is_root={caller.role >= Role.root}
      providers={channel ? providerChoices() : await namedProviders()}
      unpriced={unpriced(modelNames(form.models), form.model_prefix.trim())}
      tested={tested}
      groups={[...groups].map(name => ({ name, ratio: groupRatio(name) }))}
    />
  )
}

/** A new form, with the name that its provider suggests. */
async function startForm(): Promise<ChannelForm> {
  const provider = (await namedProviders()).find(({ type }) => String(type) === newForm.type)
  return { ...newForm, form_id: newFormId(), name: provider?.free_name ?? provider?.label ?? '' }
}

/** Providers, each with its label as the name of a new channel, numbered when that name is taken. */
async function namedProviders(): Promise<ProviderChoice[]> {
  const taken = new Set((await channelNames()).map(({ name }) => name))
  return providerChoices().map(choice =>
    taken.has(choice.label) ? { ...choice, free_name: freeName(choice.label, taken) } : choice,
  )
}

function freeName(label: string, taken: ReadonlySet<string>): string {
  let name = label
  for (let number = 2; taken.has(name); number++) name = `${label} ${number}`
  return name
}

const withState = ({ key, ...channel }: Awaited<ReturnType<typeof channelView>>) => ({
  ...channel,
  masked: key,
  closed: autoDisableOf(channel),
})

/** Groups with a ratio, and those that a channel still names. */
const filterGroups = async () => [...new Set([...groupNames(), ...(await groupsInUse())])]
