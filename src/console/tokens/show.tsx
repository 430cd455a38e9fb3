/** The token page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { ConfirmDelete } from '../../../views/tokens/confirm-delete.tsx'
import { TokenDrawer } from '../../../views/tokens/drawer.tsx'
import { FirstSteps } from '../../../views/tokens/first-steps.tsx'
import { Keys } from '../../../views/tokens/keys.tsx'
import { Tokens } from '../../../views/tokens/tokens.tsx'
import { type TokensView, tokensAt } from '../../../views/tokens/view.ts'
import { Role, type SessionUser } from '../../contracts/account.ts'
import { optional, PAGE_SIZE_MAX, pageOf } from '../../contracts/paging.ts'
import type { Visit } from '../../contracts/visit.ts'
import { enabledModels } from '../../domain/channels/index.ts'
import { groupOffers } from '../../domain/pricing/index.ts'
import { listTokens, tokenOf, tokensOf } from '../../domain/tokens/index.ts'
import { balanceOf } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { commaList } from '../../pure/lists.ts'
import { lastPage } from '../../pure/paging.ts'
import { cookieOf, siteOf } from '../../web/request.ts'
import { redirectTo, render } from '../page.tsx'
import { firstStepsOf } from '../setup/first-steps.ts'
import { type Manner, type TokenForm, typedOf } from './form.ts'

/** As many as a page of the list can have. */
export const idsOf = (texts: string[]) => texts.map(Number).filter(Number.isSafeInteger).slice(0, PAGE_SIZE_MAX)

const ids = optional.transform(text => idsOf(commaList(text ?? '')))

/** What an address of the page can say. */
export const TokensQuery = z.object({
  p: optional,
  keyword: optional,
  new: z.string().optional(),
  edit: z.coerce.number().pipe(z.int()).optional().catch(undefined),
  created: ids,
  keys: ids,
  delete: ids,
  selected: z.string().optional(),
})

export interface Asked {
  request: Request
  server: Parameters<typeof siteOf>[1]
  visit: Visit
  caller: SessionUser
  query: z.output<typeof TokensQuery>
}

export const COLUMNS_COOKIE = 'token-columns'

export const viewOf = ({ p, keyword }: Asked['query']): TokensView => ({ keyword, page: pageOf({ p }, 1).page })

export const mannerOf = ({ status, zone }: Visit): Manner => ({ currency: status, zone })

export async function show(asked: Asked, over?: ReactNode, status = 200): Promise<Response> {
  const { request, visit, caller, query } = asked
  const page = pageOf({ p: query.p, size: String(visit.page_size) }, 1)
  const list = await listTokens(caller.id, page, { text: query.keyword })
  const last = lastPage(list.page_size, list.total)
  // The last row of the last page may just have been deleted.
  if (list.page > last) return redirectTo(tokensAt({ ...viewOf(query), page: last }))
  const part = (
    <Tokens
      list={list}
      view={viewOf(query)}
      hidden={commaList(cookieOf(request, COLUMNS_COOKIE) ?? '')}
      groups={groupOffers(caller.group)}
      ownGroup={caller.group}
      firstSteps={await steps(asked)}
      over={over ?? (await overOf(asked))}
    />
  )
  return render(request, visit, part, { title: translator(visit.language)('token.title'), status })
}

async function overOf(asked: Asked): Promise<ReactNode> {
  const { caller, query } = asked
  const view = viewOf(query)
  if (query.new !== undefined || query.edit) return drawer(asked)
  if (query.delete.length) {
    const tokens = await tokensOf(caller.id, query.delete)
    return tokens.length > 0 && <ConfirmDelete view={view} tokens={tokens} />
  }
  return keys(asked, query.created.length ? query.created : query.keys)
}

async function keys(asked: Asked, ids: number[]): Promise<ReactNode> {
  const { caller, query } = asked
  const tokens = await tokensOf(caller.id, ids)
  const [token] = tokens
  if (!token) return undefined
  const [model] = token.model_limits_enabled
    ? commaList(token.model_limits)
    : await enabledModels([token.group || caller.group])
  return (
    <Keys view={viewOf(query)} tokens={tokens} base={baseOf(asked)} model={model} created={query.created.length > 0} />
  )
}

/** The form of a new token or of the one that the address names, as it is or as it was just sent. */
export async function drawer({ visit, caller, query }: Asked, typed?: TokenForm, errors: Record<string, string> = {}) {
  const token = query.edit ? await tokenOf(caller.id, query.edit) : undefined
  return (
    <TokenDrawer
      view={viewOf(query)}
      token={token}
      typed={typed ?? typedOf(token, mannerOf(visit))}
      errors={errors}
      groups={groupOffers(caller.group)}
      ownGroup={caller.group}
      balance={await balanceOf(caller.id)}
    />
  )
}

/** For administrators, until the first call has succeeded. */
async function steps(asked: Asked): Promise<ReactNode> {
  if (asked.caller.role < Role.admin) return undefined
  const done = await firstStepsOf(asked.caller)
  return done.called ? undefined : <FirstSteps {...done} base={baseOf(asked)} />
}

/** The steps alone, as they are now: what the page asks for while it waits. */
export async function showSteps(asked: Asked): Promise<Response> {
  const part = <FirstSteps {...(await firstStepsOf(asked.caller))} base={baseOf(asked)} />
  return render(asked.request, asked.visit, part, { title: translator(asked.visit.language)('token.title') })
}

const baseOf = ({ request, server, visit }: Asked) => visit.status.server_address || siteOf(request, server)
