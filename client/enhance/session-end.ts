/** A session that ends under a page with typed fields: a dialog lets the reader sign in beside it, and the form is sent then. */
import { dirtyFields } from '../dirty-fields.ts'
import { clientMessage } from '../messages.ts'
import { type FailedRequest, takeBack } from './retry.ts'
import { openTemplate } from './template.ts'
import { toast } from './toast.ts'

const mine = document.documentElement.dataset.user ?? ''

interface Detail {
  ctx: FailedRequest & {
    request: { method: string }
    response: { headers: Headers }
  }
}

/** The open dialog, and the request that it holds back. */
let dialog: HTMLDialogElement | undefined
let again: (() => void) | undefined
let popup: Window | null = null

const isTyped = () => [...document.querySelectorAll('form[method=post]')].some(form => dirtyFields(form).length > 0)

/** Goes to the sign-in page, unless that would lose what is typed. @param isSignedOut the page is no longer to be read */
export function leaveForSignIn(path: string, isSignedOut = false) {
  if (dialog) return
  if (mine && isTyped()) ask(path, isSignedOut)
  else location.assign(path)
}

function ask(path: string, isSignedOut: boolean) {
  const opened = openTemplate<HTMLDialogElement>('session-template')
  dialog = opened
  if (isSignedOut) opened.dataset.curtain = ''
  opened.querySelector<HTMLAnchorElement>('[data-leave-page]')!.href = path
  opened.querySelector('[data-sign-in]')!.addEventListener('click', signIn)
  // Nothing of the page below hears a key, and Esc does not uncover it.
  opened.addEventListener('keydown', event => {
    event.stopPropagation()
    if (event.key === 'Escape') event.preventDefault()
  })
  opened.addEventListener('cancel', event => event.preventDefault())
  opened.showModal()
}

/** A window keeps the page, for every way to sign in. Where none may open, the link opens a tab. */
function signIn(event: Event) {
  popup = open((event.currentTarget as HTMLAnchorElement).href, '', 'popup,width=480,height=720')
  if (popup) event.preventDefault()
}

/** The same user has signed in again in another window. */
export async function resume() {
  if (!dialog || !(await renew())) return
  dialog.remove()
  dialog = undefined
  popup?.close()
  toast('success', clientMessage('signed_in_again'))
  again?.()
  again = undefined
}

/** Gives the forms the token of the new session. @returns whether the user of this page is signed in */
async function renew(): Promise<boolean> {
  try {
    const response = await fetch(location.href, { cache: 'no-store' })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const token = page.querySelector<HTMLInputElement>('input[name=csrf]')?.value
    if (page.documentElement.dataset.user !== mine || token === undefined) return false
    for (const field of document.querySelectorAll<HTMLInputElement>('input[name=csrf]')) field.value = token
    return true
  } catch {
    toast('error', clientMessage('unreachable'))
    return false
  }
}

document.addEventListener('htmx:before:response', event => {
  const { ctx } = (event as CustomEvent<Detail>).detail
  const { headers } = ctx.response
  const path = headers.get('hx-redirect')
  if (path?.startsWith('/login?') && mine && isTyped()) {
    event.preventDefault()
    if (ctx.request.method !== 'GET') again = takeBack(ctx)
    return leaveForSignIn(path)
  }
  if (!headers.has('tollgate-csrf')) return
  // The token is of an earlier session of the same user: the form is sent once more with a new one.
  event.preventDefault()
  const resend = takeBack(ctx)
  renew().then(isMine => (isMine ? resend?.() : location.reload()))
})

/** Forms that replace the page: nothing typed is sent before the session is known to last. */
document.addEventListener('submit', event => {
  const form = event.target as HTMLFormElement
  if (!mine || event.defaultPrevented || form.method !== 'post' || form.hasAttribute('hx-post')) return
  if (lasting.delete(form) || !dirtyFields(form).length) return
  event.preventDefault()
  const send = () => {
    lasting.add(form)
    form.requestSubmit(event.submitter)
  }
  renew().then(isMine => {
    if (isMine) return send()
    again = send
    leaveForSignIn(`/login?${new URLSearchParams({ returnTo: location.pathname + location.search })}`)
  })
})

/** Forms that are about to be sent. */
const lasting = new WeakSet<HTMLFormElement>()
