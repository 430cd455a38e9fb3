/** The one way islands speak with the server: one QueryClient, one fetch that knows the envelope. */
import { QueryClient } from '@tanstack/react-query'
import { toast } from './enhance/toast.ts'
import { clientMessage } from './messages.ts'

/** A `success: false`, or no answer at all. The visitor has already been told. */
export class ApiCallError extends Error {
  constructor(
    message: string,
    readonly code?: string,
    /** The form field that it is about. */
    readonly field?: string,
  ) {
    super(message)
  }
}

type Envelope<T> = { success: true; data: T } | { success: false; message: string; code?: string; field?: string }

export async function callApi<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body)
  if (answer.status === 401) return goToLogin()
  const envelope = (await answer.json().catch(() => undefined)) as Envelope<T> | undefined
  if (envelope?.success) return envelope.data
  throw withToast(new ApiCallError(explain(answer, envelope?.message), envelope?.code, envelope?.field))
}

function send(method: string, path: string, body: unknown): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' }
  const { user } = document.documentElement.dataset
  if (user) headers['tollgate-user'] = user
  if (body !== undefined) headers['content-type'] = 'application/json'
  return fetch(path, {
    method,
    headers,
    cache: 'no-store',
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw withToast(new ApiCallError(clientMessage('unreachable')))
  })
}

/** What an HTTP status means to a person; where the server said it in words, its words. */
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

/** The session is over: sign in, and come back here. */
function goToLogin(): Promise<never> {
  location.assign(`/login?expired=true&returnTo=${encodeURIComponent(location.pathname + location.search)}`)
  return new Promise(() => {})
}

const STALE_AFTER_MS = 30_000

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: STALE_AFTER_MS, refetchOnWindowFocus: false } },
})
