/** The redemption codes page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Codes } from '../../../views/redemption/codes.tsx'
import { codeColumns } from '../../../views/redemption/columns.tsx'
import {
  ConfirmDelete,
  ConfirmDeleteDisabled,
  ConfirmDeleteNamed,
  DeleteNamed,
} from '../../../views/redemption/confirm-delete.tsx'
import { CodeDrawer } from '../../../views/redemption/drawer.tsx'
import { Keys } from '../../../views/redemption/keys.tsx'
import { Uses } from '../../../views/redemption/uses.tsx'
import { type CodesView, codesAt } from '../../../views/redemption/view.ts'
import { optional, type Paging, pageOf } from '../../contracts/paging.ts'
import { type Redemption, RedemptionStatus } from '../../contracts/redemption.ts'
import {
  codeOf,
  codesOf,
  countCodesNamed,
  countDisabledCodes,
  listCodes,
  usesOf,
} from '../../domain/redemption/index.ts'
import { translator } from '../../locales/index.ts'
import { hiddenColumns, IdList, type PageRequest, pagingOf, redirectPastEnd } from '../list-page.ts'
import { render, renderOver, wantsOver } from '../page.tsx'
import { type CodeForm, formOf } from './form.ts'

const id = z.coerce.number().pipe(z.int().positive()).optional().catch(undefined)

export const CodesQuery = z.object({
  p: optional,
  keyword: optional,
  new: z.string().optional(),
  'delete-named': z.string().optional(),
  'delete-disabled': z.string().optional(),
  named: optional,
  edit: id,
  uses: id,
  /** Page of the open uses. */
  lp: optional,
  codes: IdList,
  created: IdList,
  delete: IdList,
})

export type CodesPage = PageRequest<z.output<typeof CodesQuery>>

export const viewOf = ({ p, keyword }: CodesPage['query']): CodesView => ({ keyword, page: pageOf({ p }, 1).page })

/** @param refused a form over the list with its errors, in place of what the address opens. Status 422. */
export async function show(page: CodesPage, refused?: ReactNode): Promise<Response> {
  const { request, visit, query } = page
  if (wantsOver(request)) return renderOver(request, visit, await overlay(page))
  const view = viewOf(query)
  const list = await listCodes(query.keyword ? { keyword: query.keyword } : {}, pagingOf(page))
  const redirect = redirectPastEnd(pagingOf(page), list.total, last => codesAt({ ...view, page: last }))
  if (redirect) return redirect
  const over = refused ?? (await overlay(page))
  const content = <Codes list={list} view={view} hidden={hiddenColumns(request, codeColumns)} over={over} />
  const title = translator(visit.language)('redemption.title')
  return render(request, visit, content, { title, status: refused ? 422 : 200 })
}

async function overlay(page: CodesPage): Promise<ReactNode> {
  const { query } = page
  const view = viewOf(query)
  if (query.new !== undefined || query.edit) return drawer(page)
  if (query['delete-named'] !== undefined) return <DeleteNamed view={view} />
  if (query.named) return confirmNamed(page, query.named)
  if (query['delete-disabled'] !== undefined) return confirmDisabled(page)
  if (query.uses) return uses(page, await codeOf(query.uses))
  const codes = await codesOf([...query.delete, ...query.codes, ...query.created])
  if (!codes.length) return undefined
  if (query.delete.length) return <ConfirmDelete view={view} codes={codes} />
  return <Keys view={view} codes={codes} created={query.created.length > 0} />
}

const uses = async (page: CodesPage, code: Redemption) => (
  <Uses view={viewOf(page.query)} code={code} list={await usesOf(code.id, innerPaging(page))} />
)

const innerPaging = ({ query, visit }: CodesPage): Paging => pageOf({ p: query.lp, size: String(visit.page_size) }, 1)

/** The form of new codes or of the one that the address names, as stored or as it was sent. */
export async function drawer(page: CodesPage, form?: CodeForm, errors: Record<string, string> = {}) {
  const { visit, query } = page
  const code = query.edit ? await codeOf(query.edit) : undefined
  // Only an unused code can be edited.
  if (code && code.status !== RedemptionStatus.unused) return uses(page, code)
  return <CodeDrawer view={viewOf(query)} code={code} form={form ?? formOf(code, visit)} errors={errors} />
}

export const confirmNamed = async ({ query }: CodesPage, name: string, error?: string) => (
  <ConfirmDeleteNamed view={viewOf(query)} name={name} count={await countCodesNamed(name)} error={error} />
)

export const confirmDisabled = async ({ query }: CodesPage, error?: string) => (
  <ConfirmDeleteDisabled view={viewOf(query)} count={await countDisabledCodes()} error={error} />
)
