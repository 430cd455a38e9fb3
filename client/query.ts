/** API calls of islands: the QueryClient and a fetch that reads the envelope. */
import { QueryClient } from '@tanstack/react-query'
import { CONFIRM_PATH } from '../src/contracts/security-paths.ts'
import { toast } from './enhance/toast.ts'
import { clientMessage } from './messages.ts'

/** Thrown for `success: false` and for network errors, after a toast was shown unless the call is quiet. */
export class ApiCallError extends Error {
  constructor(
    message: string,
    readonly code?: string,
    /** Name of the form field with the error. */
    readonly field?: string,
  ) {
    super(message)
  }
}

type Envelope<T> = { success: true; data: T } | { success: false; message: string; code?: string; field?: string }

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** @param quiet shows no toast: the caller shows the error where it belongs */
export async function callApi<T>(method: Method, path: string, body?: unknown, { quiet = false } = {}): Promise<T> {
  const fail = (error: ApiCallError) => (quiet ? error : withToast(error))
  const response = await send(method, path, body).catch(() => {
    throw fail(new ApiCallError(clientMessage('unreachable')))
  })
  if (response.status === 401) return goTo('/login', { expired: 'true' })
  const envelope = (await response.json().catch(() => undefined)) as Envelope<T> | undefined
  if (envelope?.success) return envelope.data
  if (envelope?.code === 'security.confirm_required') return goTo(CONFIRM_PATH, {})
  throw fail(new ApiCallError(explain(response, envelope?.message), envelope?.code, envelope?.field))
}

function send(method: Method, path: string, body: unknown): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' }
  const { user } = document.documentElement.dataset
  if (user) headers['tollgate-user'] = user
  if (body !== undefined) headers['content-type'] = 'application/json'
  return fetch(path, {
    method,
    headers,
    cache: 'no-store',
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}

/** Message for an HTTP status; the server's message where it has one. */
export function explain({ status, statusText }: { status: number; statusText?: string }, message?: string): string {
  if (status === 429) return clientMessage('too_many')
  if (status === 500) return clientMessage('server_error')
  if (status === 405) return clientMessage('demo_only')
  return message ?? clientMessage('other_error', { message: statusText || String(status) })
}

function withToast(failed: ApiCallError): ApiCallError {
  toast('error', failed.message)
  return failed
}

/** Goes to a page that leads back here; never resolves. */
function goTo(path: string, query: Record<string, string>): Promise<never> {
  location.assign(`${path}?${new URLSearchParams({ ...query, returnTo: location.pathname + location.search })}`)
  return new Promise(() => {})
}

const STALE_AFTER_MS = 30_000

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: STALE_AFTER_MS, refetchOnWindowFocus: false } },
})
