/** Sign-outs: browser storage is emptied, and the other tabs go to the sign-in page, or ask for a sign-in over what is typed. */
import { signInPath } from './ask.ts'
import { leaveForSignIn, resume } from './session-end.ts'

/** The user who is signed in: empty after a sign-out. */
const USER = 'user'
/** The user whose data is in the storage. */
const OWNER = 'owner'
const SIGNING_OUT = 'signing-out'

const mine = document.documentElement.dataset.user ?? ''

try {
  if (mine) begin()
  else if (document.querySelector('form[action="/login"]')) end()
  window.addEventListener('storage', ({ key }) => (key === USER || key === null) && check())
  window.addEventListener('pageshow', ({ persisted }) => persisted && check())
} catch {
  // Without storage there is nothing to empty and no other tab to notice.
}

function begin() {
  const owner = localStorage.getItem(OWNER)
  if (owner && owner !== mine) empty()
  localStorage.setItem(OWNER, mine)
  localStorage.setItem(USER, mine)
}

/** On the sign-in page: the session is over on the server too. An expired one keeps its data for the same user. */
function end() {
  if (sessionStorage.getItem(SIGNING_OUT)) empty()
  localStorage.setItem(USER, '')
}

function empty() {
  localStorage.clear()
  sessionStorage.clear()
  indexedDB.databases?.().then(
    found => {
      for (const { name } of found) if (name) indexedDB.deleteDatabase(name)
    },
    () => undefined,
  )
}

document.addEventListener('submit', ({ target }) => {
  if ((target as Element).matches('form[action="/logout"]')) sessionStorage.setItem(SIGNING_OUT, 'true')
})

/** Leaves a page of a user who is no longer the one who is signed in. */
function check() {
  const user = localStorage.getItem(USER) ?? ''
  if (!mine) return
  if (user === mine) resume()
  else if (user) location.reload()
  else leaveForSignIn(signInPath(), true)
}
