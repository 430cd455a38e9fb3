/** Pages: the whole document for a browser, only its content for htmx; redirects and error pages. */
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { PageContextProvider } from '../../client/components/page-context.tsx'
import { type Notice, Toast } from '../../client/components/toast.tsx'
import { Document } from '../../views/layout/document.tsx'
import { ErrorPage, NotFound } from '../../views/layout/error-pages.tsx'
import { type PageFrame, Shell } from '../../views/layout/shell.tsx'
import type { Visit } from '../contracts/visit.ts'
import { translator } from '../locales/index.ts'
import { now } from '../process/clock.ts'
import { scriptPath, stylePath } from '../web/assets.ts'
import { compressPage } from '../web/compression.ts'
import { asRefusal, envelopeOf, retryHeaders } from '../web/envelope.ts'
import { type PageHeaders, pageHeaders } from '../web/page-headers.ts'
import { withCustomHead } from './custom-head.ts'
import { clearedNotice, type NextNotice, NoticeDialog, noticeCookie, noticeIn } from './notice.tsx'
import { operatorHtml } from './operator-content.tsx'

export interface Page {
  title: string
  status?: number
  frame?: PageFrame
  headers?: PageHeaders
  /** The page has forms with the human check. */
  humanCheck?: boolean
}

/** Renders `content` as the page at `visit.url`, with the notice that an earlier redirect left for it. */
export async function render(
  request: Request,
  visit: Visit,
  content: ReactNode,
  { title, status = 200, frame = 'console', headers, humanCheck = false }: Page,
): Promise<Response> {
  if (isAnotherPage(request)) return new Response(null, { status: 204, headers: { 'hx-redirect': visit.url } })
  const waiting = noticeIn(request)
  const dialog = waiting && 'dialog' in waiting ? <NoticeDialog dialog={waiting.dialog} close={visit.url} /> : undefined
  const notice = waiting && 'text' in waiting ? waiting : undefined
  const page = isFragment(request) ? (
    <Fragment title={`${title} · ${visit.status.system_name}`} notice={notice}>
      {content}
      {dialog}
    </Fragment>
  ) : (
    <Document visit={visit} title={title} script={scriptPath} style={stylePath} notice={notice}>
      <Shell visit={visit} frame={frame} footer={await operatorHtml(visit.status.footer_html, 'html')}>
        {content}
        {dialog}
      </Shell>
    </Document>
  )
  const html = renderToString(<PageContextProvider value={pageContext(visit)}>{page}</PageContextProvider>)
  const response = new Response(isFragment(request) ? html : withCustomHead(`<!DOCTYPE html>${html}`, visit), {
    status,
    headers: pageHeaders(
      visit,
      {
        // A refused form is sent to another address than that of the page which shows it again.
        ...(request.method === 'POST' && { 'hx-replace-url': visit.url }),
        ...headers,
        ...(waiting && { 'set-cookie': clearedNotice }),
      },
      humanCheck && visit.status.turnstile_check,
    ),
  })
  return compressPage(request, response)
}

const isFragment = (request: Request) => request.headers.get('hx-request-type') === 'partial'

/** Whether htmx asked for a view of its page and a redirect led to another page, which has to be loaded whole. */
function isAnotherPage(request: Request): boolean {
  if (request.method !== 'GET' || !isFragment(request) || wantsPart(request)) return false
  const current = URL.parse(request.headers.get('hx-current-url') ?? '')
  return current !== null && current.pathname !== new URL(request.url).pathname
}

/** Content for a document that the browser already has, its title, and a toast. */
const Fragment = ({ title, notice, children }: { title: string; notice?: Notice; children: ReactNode }) => (
  <>
    <title>{title}</title>
    {children}
    {notice && <AddedToast notice={notice} />}
  </>
)

const AddedToast = ({ notice }: { notice: Notice }) => (
  <div hx-swap-oob="beforeend:#toasts">
    <Toast {...notice} />
  </div>
)

const pageContext = ({ language, zone, csrf, status }: Visit) => ({
  language,
  zone,
  csrf,
  t: translator(language),
  currency: { quota_per_unit: status.quota_per_unit, display_in_currency: status.display_in_currency },
  now: now(),
})

/** The page in place of one that was refused or failed; a toast where htmx sent a form. */
export function renderError(request: Request, visit: Visit, error: unknown): Promise<Response> {
  const refusal = asRefusal(error, request)
  const { message } = envelopeOf(refusal, visit.language)
  const t = translator(visit.language)
  // Status 200 with `success: false` is only for the API's envelopes.
  const status = refusal.status === 200 ? 400 : refusal.status
  const isGet = request.method === 'GET'
  const headers = retryHeaders(refusal)
  if (refusal.code === 'error.csrf') headers['tollgate-csrf'] = 'expired'
  if (wantsOverlay(request)) Object.assign(headers, inContent)
  if (!isGet && isFragment(request))
    return renderToast(visit, { kind: 'error', text: message, request_id: visit.request_id }, status, headers)
  if (status === 404) return render(request, visit, <NotFound />, { title: t('shell.missing'), status, headers })
  const page = <ErrorPage message={message} retry={isGet ? visit.url : undefined} request_id={visit.request_id} />
  return render(request, visit, page, { title: t('shell.broken'), status, headers })
}

/** Adds a toast and leaves the page and its address as they are. */
const renderToast = (visit: Visit, notice: Notice, status: number, headers: PageHeaders): Promise<Response> =>
  renderPart(visit, <AddedToast notice={notice} />, status, {
    'hx-reswap': 'none',
    'hx-replace-url': 'false',
    ...headers,
  })

/** A part of a page that replaces itself, such as a badge or a preview: title, address and toasts stay. */
export async function renderPart(visit: Visit, part: ReactNode, status = 200, headers: PageHeaders = {}) {
  const content = <PageContextProvider value={pageContext(visit)}>{part}</PageContextProvider>
  return new Response(renderToString(content), { status, headers: pageHeaders(visit, headers) })
}

/** What lies over a list that the browser shows already. */
export const renderOverlay = async (request: Request, visit: Visit, overlay: ReactNode): Promise<Response> =>
  compressPage(request, await renderPart(visit, overlay))

const CONTENT = 'main#main'
const OVERLAY = 'div#overlay'
const inContent = { 'hx-retarget': '#main', 'hx-reswap': 'innerMorph' }

/** Whether htmx asked for a drawer or dialog alone: the list behind it stays. */
export const wantsOverlay = (request: Request): boolean =>
  isFragment(request) && request.headers.get('hx-target') === OVERLAY

/** Whether htmx asked for another part of the page than its content or what lies over it. */
export const wantsPart = (request: Request): boolean =>
  isFragment(request) && request.headers.get('hx-target') !== CONTENT && !wantsOverlay(request)

/**
 * Goes on to another page, which shows the notice. A redirect with another opener policy than the pages would cut a window
 * off from the one that has opened it.
 */
export function redirectTo(location: string, notice?: NextNotice, headers: PageHeaders = {}): Response {
  const policy = { 'cross-origin-opener-policy': 'same-origin' }
  const redirect = new Headers({ location, 'cache-control': 'no-store', ...policy, ...headers })
  if (notice) redirect.append('set-cookie', noticeCookie(notice))
  return new Response(null, { status: 303, headers: redirect })
}
