/** The redemption codes page as its address describes it: the list, and what is open over it. */
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { codeColumns } from '../../../views/redemption/columns.tsx'
import {
  ConfirmDelete,
  ConfirmDeleteDisabled,
  ConfirmDeleteNamed,
  DeleteNamed,
} from '../../../views/redemption/confirm-delete.tsx'
import { CodeDrawer } from '../../../views/redemption/drawer.tsx'
import { Keys } from '../../../views/redemption/keys.tsx'
import { RedemptionPage } from '../../../views/redemption/redemption.tsx'
import { Uses } from '../../../views/redemption/uses.tsx'
import { codesAddress, codesAt } from '../../../views/redemption/view.ts'
import { codeFields, newCodeFields, type Redemption, RedemptionStatus } from '../../contracts/redemption.ts'
import {
  codeOf,
  codesOf,
  countCodesNamed,
  countDisabledCodes,
  listCodes,
  usesOf,
} from '../../domain/redemption/index.ts'
import { newFormId } from '../../web/idempotent-form.ts'
import { hiddenColumns, innerPaging, type PageRequest, showList } from '../list-page.ts'

export type CodesPage = PageRequest<z.output<typeof codesAddress.query>>

export const { viewOf } = codesAddress

/** @param refused a form over the list with its errors, in place of what the address opens */
export function show(page: CodesPage, refused?: ReactNode): Promise<Response> {
  const { request, query } = page
  const view = viewOf(query)
  return showList(
    page,
    {
      title: 'redemption.title',
      at: last => codesAt({ ...view, page: last }),
      find: paging => listCodes({ keyword: query.keyword, state: query.state }, paging),
      content: (list, overlay) => (
        <RedemptionPage list={list} view={view} hidden={hiddenColumns(request, codeColumns)} overlay={overlay} />
      ),
      overlayOf,
    },
    refused,
  )
}

async function overlayOf(page: CodesPage): Promise<ReactNode> {
  const { query } = page
  const view = viewOf(query)
  if (query.new !== undefined || query.edit) return drawer(page)
  if (query.delete_named !== undefined) return <DeleteNamed view={view} />
  if (query.named) return confirmNamed(page, query.named)
  if (query.delete_disabled !== undefined) return confirmDisabled(page)
  if (query.uses) return uses(page, await codeOf(query.uses))
  const codes = await codesOf([...query.delete, ...query.codes, ...query.created])
  if (!codes.length) return undefined
  if (query.delete.length) return <ConfirmDelete view={view} codes={codes} />
  return <Keys view={view} codes={codes} created={query.created.length > 0} />
}

const uses = async (page: CodesPage, code: Redemption) => (
  <Uses view={viewOf(page.query)} code={code} list={await usesOf(code.id, innerPaging(page))} />
)

/** The form of new codes or of the one that the address names, as stored or as it was sent. */
export async function drawer(page: CodesPage, sent?: Record<string, string>, errors: Record<string, string> = {}) {
  const { visit, query } = page
  const code = query.edit ? await codeOf(query.edit) : undefined
  // Only an unused code can be edited.
  if (code && code.status !== RedemptionStatus.unused) return uses(page, code)
  const stored = code
    ? codeFields.fill(code, visit)
    : { ...newCodeFields.fill(newCodeFields.defaults, visit), form_id: newFormId() }
  return <CodeDrawer view={viewOf(query)} code={code} form={sent ?? stored} errors={errors} />
}

export const confirmNamed = async ({ query }: CodesPage, name: string, error?: string) => (
  <ConfirmDeleteNamed view={viewOf(query)} name={name} count={await countCodesNamed(name)} error={error} />
)

export const confirmDisabled = async ({ query }: CodesPage, error?: string) => (
  <ConfirmDeleteDisabled view={viewOf(query)} count={await countDisabledCodes()} error={error} />
)
