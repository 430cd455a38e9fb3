/** What every list page of the console shares: its routes, paging, selection, column choice, forms and the way back. */
import { Elysia } from 'elysia'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { SessionUser } from '../contracts/account.ts'
import type { Actor } from '../contracts/actor.ts'
import { UNDO_PATH } from '../contracts/audit-log.ts'
import { idsIn } from '../contracts/list-address.ts'
import { type Listing, type Paging, pageOf } from '../contracts/paging.ts'
import { preferenceCookie } from '../contracts/preference.ts'
import { Refusal } from '../contracts/refusal.ts'
import type { Visit } from '../contracts/visit.ts'
import { changesOfRequest } from '../domain/audit-log/index.ts'
import { type MessageKey, translator } from '../locales/index.ts'
import type { MessageParams } from '../locales/translator.ts'
import { commaList } from '../pure/lists.ts'
import { lastPage } from '../pure/paging.ts'
import { refusalText } from '../web/envelope.ts'
import { errorsOf, forms, text } from '../web/forms.ts'
import { type FormKey, idempotent as idempotentForm } from '../web/idempotent-form.ts'
import { localPath } from '../web/origin.ts'
import { cookieOf } from '../web/request.ts'
import { guard, type UserPageAccess } from './guard.ts'
import { redirectTo, render, renderOverlay, wantsOverlay } from './page.tsx'
import { pageAt, type RequestContext } from './visit.ts'

/** A request for a list page or from one of its forms, by a signed-in user. */
export interface PageRequest<Query = unknown> extends RequestContext {
  visit: Visit
  caller: SessionUser
  /** The caller as the author of a change. */
  actor: Actor
  query: Query
  list_path: string
}

/** Columns that a visitor may hide, and the cookie that holds the hidden ones. */
export interface ColumnSet {
  cookie: string
  ids: readonly string[]
  /** Hidden until the visitor has chosen. */
  rare?: readonly string[]
}

/**
 * Routes below `path`. Bodies are forms; a form without a `returnTo` leads back to `path`.
 * @param columns adds `POST <path>/columns`, which stores the columns that the visitor left unticked
 * @param userPage who may hide columns: the visitors of the page
 */
export function listPage<const Path extends string>(
  path: Path,
  columns?: ColumnSet,
  userPage: UserPageAccess = 'signedIn',
) {
  const routes = new Elysia({ prefix: path })
    .use(guard)
    .use(forms)
    .derive(() => ({ list_path: path as string }))
  if (columns) routes.post('/columns', page => hideColumns(page, columns), { userPage })
  return routes
}

const strings = z.array(z.string()).default([])
const Columns = z.object({ columns: strings })

function hideColumns(page: PageRequest, { cookie, ids }: ColumnSet): Response {
  const { columns } = Columns.parse(page.body)
  const hidden = ids.filter(id => !columns.includes(id))
  return redirectTo(returnPath(page), undefined, { 'set-cookie': preferenceCookie(cookie, hidden.join(',')) })
}

export function hiddenColumns(request: Request, { cookie, rare = [] }: ColumnSet): string[] {
  const chosen = cookieOf(request, cookie)
  return chosen === undefined ? [...rare] : commaList(chosen)
}

interface ListQuery {
  p?: string
  lp?: string
}

interface ListPage<Page, Row> {
  title: MessageKey
  find: (paging: Paging) => Promise<Listing<Row>>
  /** Address of another page of the list. */
  at: (page: number) => string
  content: (list: Listing<Row>, overlay: ReactNode) => ReactNode | Promise<ReactNode>
  /** What the address opens over the list. */
  overlayOf: (page: Page) => ReactNode | Promise<ReactNode>
}

/**
 * The list as its address describes it; what lies over it alone where the browser has the list.
 * @param overlay a form over the list in place of what the address opens, by default one with errors
 */
export async function showList<Page extends PageRequest<ListQuery>, Row>(
  page: Page,
  { title, find, at, content, overlayOf }: ListPage<Page, Row>,
  overlay?: ReactNode,
  status = overlay ? 422 : 200,
): Promise<Response> {
  const { request, visit } = page
  if (wantsOverlay(request)) return renderOverlay(request, visit, await overlayOf(page))
  const paging = pagingOf(page)
  const list = await find(paging)
  const redirect = redirectPastEnd(paging, list.total, at)
  if (redirect) return redirect
  const shown = await content(list, overlay ?? (await overlayOf(page)))
  return render(request, visit, shown, { title: translator(visit.language)(title), status })
}

/** The page of what is open over the list, such as the uses of a code. */
export const innerPaging = ({ query, visit }: PageRequest<ListQuery>): Paging =>
  pageOf({ p: query.lp, size: String(visit.page_size) }, 1)

/** The page of the list that the address names, in the size that the visitor prefers. */
export const pagingOf = ({ query, visit }: PageRequest<{ p?: string }>): Paging =>
  pageOf({ p: query.p, size: String(visit.page_size) }, 1)

/** @returns a redirect to the last page when this one is beyond it: the last row of a page may just have been deleted. */
export function redirectPastEnd({ page, size }: Paging, total: number, addressOf: (page: number) => string) {
  const last = lastPage(size, total)
  return page > last ? redirectTo(addressOf(last)) : undefined
}

/** A path with the ids of one or several rows: `/app/tokens/3,4/delete`. */
export const ByIds = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}(,\d{1,15})*$/)
    .transform(text => idsIn(text.split(','))),
})

/** The form of the selection bar: the ticked rows, and the button that was pressed. */
export const Selection = z.object({ ids: strings.transform(idsIn), action: z.string() })

const ReturnTo = z.object({ returnTo: z.string().optional() })

const returnPath = ({ body, list_path }: PageRequest): string => localPath(ReturnTo.parse(body).returnTo, list_path)

/** Leads back to the page that the form was on, with a toast. */
export function back(
  page: PageRequest,
  message: MessageKey,
  params: MessageParams = {},
  kind: 'success' | 'error' = 'success',
): Response {
  return redirectTo(returnPath(page), { kind, text: translator(page.visit.language)(message, params) })
}

/** Leads back with a toast that can take the change back. @param undo POST path */
export function backWithUndo(page: PageRequest, message: MessageKey, params: MessageParams, undo: string): Response {
  const returnTo = returnPath(page)
  const text = translator(page.visit.language)(message, params)
  return redirectTo(returnTo, { kind: 'success', text, undo: { action: undo, returnTo } })
}

/** Leads back with a toast that can take back what this request has changed, as the audit log holds it. */
export async function backWithUndoOfRequest(page: PageRequest, message: MessageKey, params: MessageParams = {}) {
  const { id, request_id } = page.actor
  const isChanged = (await changesOfRequest({ id }, request_id)).length > 0
  return isChanged ? backWithUndo(page, message, params, `${UNDO_PATH}/${request_id}`) : back(page, message, params)
}

/** Runs an action without a form of its own: a Refusal leads back with its message. @throws Refusal 404 */
export async function act(page: PageRequest, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 404) throw error
    const text = refusalText(error, page.visit.language)
    return redirectTo(returnPath(page), { kind: 'error', text })
  }
}

/** The list with `overlay` open above it, at the address `url`: where a refused form is shown again. */
export const openAt = <Page extends PageRequest>(page: Page, overlay: Partial<Page['query']>, url: string): Page =>
  pageAt({ ...page, query: Object.assign({}, page.query, overlay) }, url)

interface OpenAddress<View, Overlay> {
  viewOf: (query: never) => View
  at: (view: View, overlay?: Overlay) => string
}

/** The same for a list whose address is declared. @param overlay an id or ids by parameter, or the name of one without */
export const openOverlay = <Page extends PageRequest<object>, View, Overlay extends string | object>(
  page: Page,
  { viewOf, at }: OpenAddress<View, Overlay>,
  overlay: Overlay,
): Page => {
  const opened = typeof overlay === 'string' ? { [overlay]: '' } : overlay
  return openAt(page, opened as Partial<Page['query']>, at(viewOf(page.query as never), overlay))
}

/** Runs `work` once for a form that a double click sends twice, by its key; both get the result of the first. */
export const idempotent = <Result>(
  page: PageRequest,
  form: { form_id: string },
  work: (key: FormKey | undefined) => Promise<Result>,
) => {
  const sent = { ...form, path: new URL(page.request.url).pathname }
  return idempotentForm(page.caller.id, sent, work)
}

/** Runs the work of a form. @param refused shows it again with messages by field */
export async function submit(
  page: PageRequest,
  work: () => Promise<Response>,
  refused: (errors: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    return refused(errorsOf(error, page.visit.language))
  }
}

const Confirmation = z.object({ confirm: text })

interface Deletion {
  /** What has to be typed. */
  name: string
  mismatch: MessageKey
  remove: () => Promise<Response>
  /** Shows the dialog again, with `error`. */
  show: (error: string) => Promise<Response>
}

/** Deletes once the visitor has typed the name. */
export function confirmDelete(page: PageRequest, { name, mismatch, remove, show }: Deletion): Promise<Response> {
  if (Confirmation.parse(page.body).confirm.trim() === name) return remove()
  return show(translator(page.visit.language)(mismatch, { name }))
}
