/** A browser before a balancer: each of its requests may go to another node, and all nodes have one address. */
import type { Server } from '../app/server.ts'

/** As clients of the balancer see every node. */
export const SITE = 'http://gate.example'

export class NodeBrowser {
  readonly #cookies = new Map<string, string>()
  user = ''

  async fetch({ url }: Server, path: string, body?: object): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const json = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { host: new URL(SITE).host, cookie, 'sec-fetch-site': 'same-origin', 'tollgate-user': this.user }
    const response = await fetch(url + path, { ...json, redirect: 'manual', headers })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      this.#cookies.set(name!, value!)
    }
    return response
  }

  async call(node: Server, path: string, body?: object): Promise<any> {
    return (await this.fetch(node, path, body)).json()
  }

  /** Whether that is allowed. */
  succeeds = async (node: Server, path: string, body?: object): Promise<boolean> =>
    (await this.call(node, path, body)).success === true

  /** Another browser with the same cookies, so that two attempts do not share what they are answered. */
  copy(): NodeBrowser {
    const copy = new NodeBrowser()
    copy.user = this.user
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value)
    return copy
  }
}
