/** The API keys page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { logsAt } from '../../../views/logs/view.ts'
import { tokenColumns } from '../../../views/tokens/columns.tsx'
import { ConfirmDelete } from '../../../views/tokens/confirm-delete.tsx'
import { TokenDrawer } from '../../../views/tokens/drawer.tsx'
import { FirstSteps } from '../../../views/tokens/first-steps.tsx'
import { Keys } from '../../../views/tokens/keys.tsx'
import { Tokens, TokenTable } from '../../../views/tokens/tokens.tsx'
import { keyTabs } from '../../../views/tokens/try-it.tsx'
import { budgetsOfTokens, tokensAddress, tokensAt } from '../../../views/tokens/view.ts'
import { Role } from '../../contracts/account.ts'
import { chatLinks } from '../../contracts/chat.ts'
import type { Listing } from '../../contracts/paging.ts'
import { type Token, UNDO_TOKENS_MAX } from '../../contracts/token.ts'
import { budgetsShown } from '../../domain/budgets/index.ts'
import { groupOffers } from '../../domain/pricing/index.ts'
import { listTokens, tokenOf, tokensOf, writeLastUsed } from '../../domain/tokens/index.ts'
import { balanceOf } from '../../domain/users/index.ts'
import { translator } from '../../locales/index.ts'
import { siteOf } from '../../web/request.ts'
import { budgetForms } from '../budget-drawers.tsx'
import { type LimitForm, limitFormOf } from '../budget-limit.ts'
import { firstStepsOf } from '../first-steps.ts'
import { hiddenColumns, type PageRequest, pagingOf, showList } from '../list-page.ts'
import { chatModelsOf } from '../offered-models.ts'
import { render } from '../page.tsx'
import { formOf, type TokenForm } from './form.ts'

export type TokensPage = PageRequest<z.output<typeof tokensAddress.query>>

export const { viewOf } = tokensAddress

export const budgets = budgetForms<TokensPage>({
  place: page => budgetsOfTokens(viewOf(page.query)),
  manager: page => ({ user_id: page.caller.id }),
  show: (page, drawer) => show(page, drawer),
})

const find = (page: TokensPage) => listTokens(page.caller.id, pagingOf(page), { text: page.query.keyword })

/** @param refused a form over the list with its errors, in place of what the address opens */
export const show = (page: TokensPage, refused?: ReactNode): Promise<Response> =>
  showList(
    page,
    {
      title: 'token.title',
      at: last => tokensAt({ ...viewOf(page.query), page: last }),
      find: () => find(page),
      content: async (list, overlay) => (
        <Tokens {...tableOf(page, list)} firstSteps={await firstSteps(page)} overlay={overlay} />
      ),
      overlayOf,
    },
    refused,
  )

const tableOf = ({ request, visit, caller, query }: TokensPage, list: Listing<Token>) => ({
  list,
  view: viewOf(query),
  hidden: hiddenColumns(request, tokenColumns),
  groups: groupOffers(caller.group),
  ownGroup: caller.group,
  chats: chatLinks(visit.status),
})

async function overlayOf(page: TokensPage): Promise<ReactNode> {
  const { caller, query } = page
  const budget = await budgets.overlayOf(page)
  if (budget) return budget
  if (query.new !== undefined || query.edit) return drawer(page)
  if (query.delete.length > UNDO_TOKENS_MAX) {
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
  const models = await chatModelsOf(token, caller.group)
  const model = models.find(({ name }) => name === query.model) ?? models[0]
  const { id: snippet } = keyTabs.find(({ id }) => id === query.snippet) ?? keyTabs[0]!
  return (
    <Keys
      view={viewOf(query)}
      tokens={tokens}
      base={baseUrl(page)}
      call={{ models, model: model?.name, snippet }}
      created={query.created.length > 0}
    />
  )
}

/** The form of a new token or of the one that the address names, as stored or as it was sent. */
export async function drawer(page: TokensPage, form?: TokenForm & LimitForm, errors: Record<string, string> = {}) {
  const { visit, caller, query } = page
  const token = query.edit ? await tokenOf(caller.id, query.edit) : undefined
  const ofToken = token ? await budgetsShown('token', token.id) : []
  return (
    <TokenDrawer
      view={viewOf(query)}
      token={token}
      form={form ?? { ...formOf(token, visit), ...limitFormOf(ofToken, visit) }}
      errors={errors}
      groups={groupOffers(caller.group)}
      ownGroup={caller.group}
      balance={await balanceOf(caller.id)}
      budgets={ofToken}
      chats={chatLinks(visit.status)}
    />
  )
}

/** For administrators, until they have seen that the first call succeeded: a second call removes the steps. */
async function firstSteps(page: TokensPage): Promise<ReactNode> {
  if (page.caller.role < Role.admin) return undefined
  const steps = await firstStepsOf(page.caller)
  return steps.called && !steps.first_entry ? undefined : <Steps page={page} steps={steps} />
}

/** The steps alone, which the page polls until they are done; then also the rows, which show the first call. */
export async function showSteps(page: TokensPage): Promise<Response> {
  const steps = await firstStepsOf(page.caller)
  if (steps.called) await writeLastUsed()
  const content = (
    <>
      <Steps page={page} steps={steps} />
      {steps.called && <TokenTable {...tableOf(page, await find(page))} refresh />}
    </>
  )
  return render(page.request, page.visit, content, { title: translator(page.visit.language)('token.title') })
}

const Steps = ({ page, steps }: { page: TokensPage; steps: Awaited<ReturnType<typeof firstStepsOf>> }) => (
  <FirstSteps
    {...steps}
    base={baseUrl(page)}
    view={viewOf(page.query)}
    receipt={steps.first_entry === undefined ? undefined : logsAt({}, { open: steps.first_entry })}
  />
)

const baseUrl = ({ request, server, visit }: TokensPage) => visit.status.server_address || siteOf(request, server)
