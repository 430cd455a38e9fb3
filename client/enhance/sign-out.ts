/** Deletes what the browser keeps of a user when the user signs out. */
import { PLAYGROUND_DATABASE } from '../../src/contracts/playground.ts'

document.addEventListener('submit', ({ target }) => {
  const { user } = document.documentElement.dataset
  if (user && (target as Element).getAttribute('action') === '/logout')
    indexedDB.deleteDatabase(PLAYGROUND_DATABASE + user)
})
