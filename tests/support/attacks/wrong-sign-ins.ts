/** Guesses of passwords, from many addresses in turn, whether those before them are answered or not. */
import type { Attack } from './attack.ts'

const MINUTE_MS = 60_000

interface Guesses {
  per_minute: number
  /** Of them, 10.66.0.0 and up, as a proxy forwards them. */
  addresses: number
  usernames: string[]
}

export function wrongSignIns(url: string, { per_minute, addresses, usernames }: Guesses): Attack {
  const seen: Record<string, number> = {}
  let sent = 0
  const timer = setInterval(async () => {
    const [at, username] = [sent % addresses, usernames[sent % usernames.length]!]
    sent++
    const headers = { 'x-forwarded-for': `10.66.${at >> 8}.${at & 255}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ username, password: `wrong ${sent}` })
    const init = { method: 'POST', headers, body, signal: leave.signal }
    const status = await fetch(`${url}/api/user/login`, init).then(
      ({ status }) => status,
      () => 'failed',
    )
    seen[status] = (seen[status] ?? 0) + 1
  }, MINUTE_MS / per_minute)
  const leave = new AbortController()
  return {
    seen,
    stop() {
      clearInterval(timer)
      leave.abort()
    },
  }
}
