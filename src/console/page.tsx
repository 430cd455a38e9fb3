/** Pages: the whole document for a visit, only the part for htmx; and what goes with a redirect. */
import type { ReactNode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { PageContextProvider } from '../../client/components/page-context.tsx'
import { type Notice, Toast } from '../../client/components/toast.tsx'
import { DefaultPassword } from '../../views/account/default-password.tsx'
import { Document } from '../../views/layout/document.tsx'
import { ErrorPage, NotFound } from '../../views/layout/not-found.tsx'
import { type PageFrame, Shell } from '../../views/layout/shell.tsx'
import type { Visit } from '../contracts/visit.ts'
import { translator } from '../locales/index.ts'
import { now } from '../process/clock.ts'
import { scriptPath, stylePath } from '../web/assets.ts'
import { asRefusal, envelopeOf } from '../web/envelope.ts'
import { gzipResponse } from '../web/gzip-response.ts'
import { type Headed, pageHeaders } from '../web/page-headers.ts'
import { cookieOf } from '../web/request.ts'
import { sanitise } from '../web/sanitise.ts'
import { withCustomHead } from './custom-head.ts'

export interface Page {
  title: string
  status?: number
  frame?: PageFrame
  headers?: Headed
}

export async function render(
  request: Request,
  visit: Visit,
  part: ReactNode,
  { title, status = 200, frame = 'console', headers }: Page,
): Promise<Response> {
  if (isAnotherPage(request)) return new Response(null, { status: 204, headers: { 'hx-redirect': visit.url } })
  const told = waitingNotice(request)
  const notice = told === DEFAULT_PASSWORD ? undefined : told
  const content = (
    <>
      {part}
      {told === DEFAULT_PASSWORD && <DefaultPassword close={visit.url} />}
    </>
  )
  const page = wantsPart(request) ? (
    <Part title={`${title} · ${visit.status.system_name}`} notice={notice}>
      {content}
    </Part>
  ) : (
    <Document visit={visit} title={title} script={scriptPath} style={stylePath} notice={notice}>
      <Shell visit={visit} frame={frame} footer={sanitise(visit.status.footer_html)}>
        {content}
      </Shell>
    </Document>
  )
  const stream = await renderToReadableStream(
    <PageContextProvider value={readerOf(visit)}>{page}</PageContextProvider>,
    {
      nonce: visit.nonce,
    },
  )
  const answer = new Response(wantsPart(request) ? stream : withCustomHead(stream, visit), {
    status,
    headers: pageHeaders(visit, { ...headers, ...(told && { 'set-cookie': noticeCookie('', 0) }) }),
  })
  return gzipResponse(request, answer)
}

const wantsPart = (request: Request) => request.headers.get('hx-request-type') === 'partial'

/** Whether htmx, asking for another view of the page it is on, was led to a page of its own: that one is loaded whole. */
function isAnotherPage(request: Request): boolean {
  if (request.method !== 'GET' || !wantsPart(request) || request.headers.get('hx-target') !== 'main#main') return false
  const here = URL.parse(request.headers.get('hx-current-url') ?? '')
  return here !== null && here.pathname !== new URL(request.url).pathname
}

/** A view of a page that is there already: its title, its content, and the toast on the way. */
const Part = ({ title, notice, children }: { title: string; notice?: Notice; children: ReactNode }) => (
  <>
    <title>{title}</title>
    {children}
    {notice && <Told notice={notice} />}
  </>
)

const Told = ({ notice }: { notice: Notice }) => (
  <div hx-swap-oob="beforeend:#toasts">
    <Toast {...notice} />
  </div>
)

const readerOf = ({ language, zone, csrf, status }: Visit) => ({
  language,
  zone,
  csrf,
  t: translator(language),
  currency: { quota_per_unit: status.quota_per_unit, display_in_currency: status.display_in_currency },
  now: now(),
})

/** What a page says instead when it was refused or failed. */
export function renderError(request: Request, visit: Visit, error: unknown): Promise<Response> {
  const refusal = asRefusal(error, request)
  const { message } = envelopeOf(refusal, visit.language)
  const t = translator(visit.language)
  // A page that says no is not a page that says yes: 200 is only for the API's envelopes.
  const status = refusal.status === 200 ? 400 : refusal.status
  const asked = request.method === 'GET'
  if (!asked && wantsPart(request))
    return toast(visit, { kind: 'error', text: message, request_id: visit.request_id }, status)
  if (status === 404) return render(request, visit, <NotFound />, { title: t('shell.missing'), status })
  return render(
    request,
    visit,
    <ErrorPage message={message} retry={asked ? visit.url : undefined} request_id={visit.request_id} />,
    {
      title: t('shell.broken'),
      status,
    },
  )
}

/** Nothing on the page changes; the visitor is told. */
async function toast(visit: Visit, notice: Notice, status: number): Promise<Response> {
  const told = (
    <PageContextProvider value={readerOf(visit)}>
      <Told notice={notice} />
    </PageContextProvider>
  )
  const headers = pageHeaders(visit, { 'hx-reswap': 'none', 'hx-replace-url': 'false' })
  return new Response(await renderToReadableStream(told), { status, headers })
}

/** The dialog that lies over the next page instead of a toast. */
export const DEFAULT_PASSWORD = 'default-password'
/** What the next page says first. */
type Told = Notice | typeof DEFAULT_PASSWORD

const NOTICE_COOKIE = 'notice'
const NOTICE_SECONDS = 60

const noticeCookie = (value: string, seconds: number) =>
  `${NOTICE_COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`

/** Goes on to another page, where a toast says what was done. */
export function redirectTo(location: string, notice?: Told, headers: Headed = {}): Response {
  const answer = new Headers({ location, 'cache-control': 'no-store', ...headers })
  if (notice) answer.append('set-cookie', noticeCookie(encodeURIComponent(JSON.stringify(notice)), NOTICE_SECONDS))
  return new Response(null, { status: 303, headers: answer })
}

function waitingNotice(request: Request): Told | undefined {
  try {
    const told = JSON.parse(cookieOf(request, NOTICE_COOKIE) ?? '')
    if (told === DEFAULT_PASSWORD) return told
    const { kind, text, request_id } = told
    if (typeof text !== 'string') return undefined
    // It comes from the browser: what is none must not break the page.
    const id = typeof request_id === 'string' ? request_id : undefined
    return { kind: kind === 'error' ? 'error' : 'success', text, request_id: id }
  } catch {
    return undefined
  }
}
