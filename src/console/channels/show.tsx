/** The channels page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import { Channels } from '../../../views/channels/channels.tsx'
import { channelColumns, HIDDEN_AT_FIRST } from '../../../views/channels/columns.tsx'
import { ConfirmDelete } from '../../../views/channels/confirm-delete.tsx'
import { ChannelDrawer } from '../../../views/channels/drawer.tsx'
import type { TestResult } from '../../../views/channels/test-result.tsx'
import { budgetsOfChannels, channelsAt } from '../../../views/channels/view.ts'
import { Role } from '../../contracts/account.ts'
import { modelNames } from '../../contracts/channel.ts'
import type { ProviderChoice } from '../../contracts/provider-choice.ts'
import { budgetsShown } from '../../domain/budgets/index.ts'
import { channelNames, channelView, endedService, groupsInUse, providerChoices } from '../../domain/channels/index.ts'
import { groupNames, groupRatio, unpriced } from '../../domain/pricing/index.ts'
import { autoDisableOf } from '../../domain/routing/index.ts'
import { translator } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { nameIn } from '../../locales/makers.ts'
import { commaList } from '../../pure/lists.ts'
import { newFormId } from '../../web/idempotent-form.ts'
import { cookieOf } from '../../web/request.ts'
import { budgetForms } from '../budget-drawers.tsx'
import { hiddenColumns, pagingOf, redirectPastEnd } from '../list-page.ts'
import { render, renderOverlay, wantsOverlay } from '../page.tsx'
import { batchOverlay } from './batch-overlays.tsx'
import { type ChannelForm, formOf, newForm } from './form.ts'
import { type ChannelsPage, viewOf } from './query.ts'
import { rowsOf } from './rows.ts'

export const budgets = budgetForms<ChannelsPage>({
  place: page => budgetsOfChannels(viewOf(page.query)),
  manager: page => ({ actor: page.actor }),
  show: (page, drawer) => show(page, drawer),
})

/** @param overlay what lies over the list in place of what the address opens, by default a form with its errors: 422. */
export async function show(
  request: ChannelsPage,
  overlay?: ReactNode,
  status = overlay ? 422 : 200,
): Promise<Response> {
  const { visit, query } = request
  if (wantsOverlay(request.request)) return renderOverlay(request.request, visit, await overlayOf(request))
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
      overlay={overlay ?? (await overlayOf(request))}
    />
  )
  const title = translator(visit.language)('channel.document_title')
  return render(request.request, visit, content, { title, status })
}

/** Hidden columns: the reader's choice, or those that are hidden at first. */
const hidden = (request: Request) =>
  cookieOf(request, channelColumns.cookie) === undefined ? HIDDEN_AT_FIRST : hiddenColumns(request, channelColumns)

async function overlayOf(page: ChannelsPage): Promise<ReactNode> {
  const { query } = page
  const budget = await budgets.overlayOf(page)
  if (budget) return budget
  if (query.new !== undefined) return drawer(page, await startForm(page.visit.language))
  if (query.edit) return drawer(page, formOf(await channelView(query.edit)))
  if (!query.delete) return batchOverlay(page)
  const { id, name } = await channelView(query.delete)
  return <ConfirmDelete view={viewOf(query)} id={id} name={name} />
}

/** The form of a new channel or of the one that the address names. */
export async function drawer(
  { query, caller, visit }: ChannelsPage,
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
      budgets={channel ? await budgetsShown('channel', channel.id) : []}
      errors={errors}
      is_root={caller.role >= Role.root}
      providers={channel ? providerChoices() : await namedProviders(visit.language)}
      unpriced={unpriced(modelNames(form.models), form.model_prefix.trim())}
      tested={tested}
      groups={[...groups].map(name => ({ name, ratio: groupRatio(name) }))}
    />
  )
}

/** A new form, with the name that its provider suggests. */
async function startForm(language: Language): Promise<ChannelForm> {
  const provider = (await namedProviders(language)).find(({ type }) => String(type) === newForm.type)
  return { ...newForm, form_id: newFormId(), name: provider?.free_name ?? provider?.label ?? '' }
}

/** Providers, each with its name in the operator's language for a new channel, numbered when that name is taken. */
async function namedProviders(language: Language): Promise<ProviderChoice[]> {
  const taken = new Set((await channelNames()).map(({ name }) => name))
  return providerChoices().map(choice => {
    const name = nameIn(language, choice.label)
    return taken.has(name) || name !== choice.label ? { ...choice, free_name: freeName(name, taken) } : choice
  })
}

function freeName(label: string, taken: ReadonlySet<string>): string {
  let name = label
  for (let number = 2; taken.has(name); number++) name = `${label} ${number}`
  return name
}

const withState = ({ key, ...channel }: Awaited<ReturnType<typeof channelView>>) => ({
  ...channel,
  masked: key,
  auto_disabled: autoDisableOf(channel),
  ended: endedService(channel.type),
})

/** Groups with a ratio, and those that a channel still names. */
const filterGroups = async () => [...new Set([...groupNames(), ...(await groupsInUse())])]
