/** A browser with its own cookies, which goes to a login provider and comes back. */
import { anyone, HOME, type Person } from '../people/person.ts'

export class LoginBrowser {
  readonly cookies = new Map<string, string>()

  constructor(readonly person: Person = anyone) {
    if (person.cookie) this.#keep(person.cookie)
  }

  async fetch(path: string, init: RequestInit & { language?: 'en' | 'zh' } = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), cookie }
    const response = await this.person.fetch(path, { ...init, headers })
    for (const set of response.headers.getSetCookie()) this.#keep(set)
    return response
  }

  /** A click on a link of ours. */
  click = (path: string) => this.fetch(path, { headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' } })

  /** The provider's page to which the start of a sign-in leads. */
  async start(provider: string, returnTo?: string): Promise<string> {
    const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`
    const response = await this.click(`/oauth/${provider}/start${query}`)
    return response.headers.get('location') ?? ''
  }

  /** Comes back from the provider, as its redirect leads. */
  return = (url: URL, language?: 'en' | 'zh') =>
    this.fetch(url.pathname + url.search, {
      language,
      headers: { 'sec-fetch-site': 'cross-site', accept: 'text/html' },
    })

  /** The toast that the next page will show. */
  get notice(): { kind: string; text: string } | undefined {
    const text = this.cookies.get('notice')
    return text ? JSON.parse(decodeURIComponent(text)) : undefined
  }

  /** Who is signed in here; undefined for a visitor. */
  async self(): Promise<Record<string, any> | undefined> {
    const session = this.cookies.get('session')
    if (!session) return undefined
    const { sub } = JSON.parse(atob(session.split('.')[1]!))
    const response = await this.fetch('/api/user/self', { headers: { 'tollgate-user': sub } })
    return response.status === 200 ? ((await response.json()) as { data: Record<string, any> }).data : undefined
  }

  #keep(set: string) {
    const pair = set.split(';')[0]!
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    if (value) this.cookies.set(name, value)
    else this.cookies.delete(name)
  }
}

export const pathOf = (url: URL) => url.href.slice(HOME.length)
