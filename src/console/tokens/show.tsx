/** The API keys page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { tokenColumns } from '../../../views/tokens/columns.tsx'
import { ConfirmDelete } from '../../../views/tokens/confirm-delete.tsx'
import { TokenDrawer } from '../../../views/tokens/drawer.tsx'
import { FirstSteps } from '../../../views/tokens/first-steps.tsx'
import { Keys } from '../../../views/tokens/keys.tsx'
import { Tokens } from '../../../views/tokens/tokens.tsx'
import { type TokensView, tokensAt } from '../../../views/tokens/view.ts'
import { Role } from '../../contracts/account.ts'
import { optional, pageOf } from '../../contracts/paging.ts'
import { enabledModels } from '../../domain/channels/index.ts'
import { groupOffers } from '../../domain/pricing/index.ts'
import { listTokens, tokenOf, tokensOf } from '../../domain/tokens/index.ts'
import { balanceOf } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { commaList } from '../../pure/lists.ts'
import { siteOf } from '../../web/request.ts'
import { firstStepsOf } from '../first-steps.ts'
import { hiddenColumns, IdList, type PageRequest, pagingOf, redirectPastEnd } from '../list-page.ts'
import { render } from '../page.tsx'
import { formOf, notationOf, type TokenForm } from './form.ts'

export const TokensQuery = z.object({
  p: optional,
  keyword: optional,
  new: z.string().optional(),
  edit: z.coerce.number().pipe(z.int()).optional().catch(undefined),
  created: IdList,
  keys: IdList,
  delete: IdList,
})

export type TokensPage = PageRequest<z.output<typeof TokensQuery>>

export const viewOf = ({ p, keyword }: TokensPage['query']): TokensView => ({ keyword, page: pageOf({ p }, 1).page })

/** @param refused a form over the list with its errors, in place of what the address opens. Status 422. */
export async function show(page: TokensPage, refused?: ReactNode): Promise<Response> {
  const { request, visit, caller, query } = page
  const view = viewOf(query)
  const paging = pagingOf(page)
  const list = await listTokens(caller.id, paging, { text: query.keyword })
  const redirect = redirectPastEnd(paging, list.total, last => tokensAt({ ...view, page: last }))
  if (redirect) return redirect
  const content = (
    <Tokens
      list={list}
      view={view}
      hidden={hiddenColumns(request, tokenColumns)}
      groups={groupOffers(caller.group)}
      ownGroup={caller.group}
      firstSteps={await firstSteps(page)}
      over={refused ?? (await overlay(page))}
    />
  )
  const title = translator(visit.language)('token.title')
  return render(request, visit, content, { title, status: refused ? 422 : 200 })
}

async function overlay(page: TokensPage): Promise<ReactNode> {
  const { caller, query } = page
  if (query.new !== undefined || query.edit) return drawer(page)
  if (query.delete.length) {
    const tokens = await tokensOf(caller.id, query.delete)
    return tokens.length > 0 && <ConfirmDelete view={viewOf(query)} tokens={tokens} />
  }
  return keysDialog(page, query.created.length ? query.created : query.keys)
}

async function keysDialog(page: TokensPage, ids: number[]): Promise<ReactNode> {
  const { caller, query } = page
  const tokens = await tokensOf(caller.id, ids)
  const [token] = tokens
  if (!token) return undefined
  const [model] = token.model_limits_enabled
    ? commaList(token.model_limits)
    : await enabledModels([token.group || caller.group])
  return (
    <Keys view={viewOf(query)} tokens={tokens} base={baseUrl(page)} model={model} created={query.created.length > 0} />
  )
}

/** The form of a new token or of the one that the address names, as stored or as it was sent. */
export async function drawer(page: TokensPage, form?: TokenForm, errors: Record<string, string> = {}) {
  const { visit, caller, query } = page
  const token = query.edit ? await tokenOf(caller.id, query.edit) : undefined
  return (
    <TokenDrawer
      view={viewOf(query)}
      token={token}
      typed={form ?? formOf(token, notationOf(visit))}
      errors={errors}
      groups={groupOffers(caller.group)}
      ownGroup={caller.group}
      balance={await balanceOf(caller.id)}
    />
  )
}

/** For administrators, until the first call has succeeded. */
async function firstSteps(page: TokensPage): Promise<ReactNode> {
  if (page.caller.role < Role.admin) return undefined
  const steps = await firstStepsOf(page.caller)
  return steps.called ? undefined : <FirstSteps {...steps} base={baseUrl(page)} />
}

/** The steps alone, which the page polls until they are done. */
export async function showSteps(page: TokensPage): Promise<Response> {
  const content = <FirstSteps {...(await firstStepsOf(page.caller))} base={baseUrl(page)} />
  return render(page.request, page.visit, content, { title: translator(page.visit.language)('token.title') })
}

const baseUrl = ({ request, server, visit }: TokensPage) => visit.status.server_address || siteOf(request, server)
