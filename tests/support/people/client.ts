/** API clients: users with a key, who call models over a real socket. */
import { Role } from '../../../src/contracts/account.ts'
import { parse } from '../../../src/contracts/parse.ts'
import { NewToken } from '../../../src/contracts/token.ts'
import { createTokens } from '../../../src/domain/tokens/index.ts'
import { listen } from '../app/app.ts'
import { callerOf, wired } from './actor.ts'
import { balance, type Person, visitor } from './person.ts'

export const RICH = 50_000_000

/** A model with a price in the built-in tables: 1.25 a token of the prompt, four times that for output. */
export const MODEL = 'gpt-4o'
export const quotaOf = (prompt: number, completion: number) => Math.round((prompt + completion * 4) * 1.25)

/** Someone with a key, calling over a real socket. */
export class Client {
  constructor(
    readonly person: Person,
    readonly key: string,
    readonly url = listen(),
  ) {}

  post = (body: object | string, init?: RequestInit) => this.postTo('/v1/chat/completions', body, init)

  /** Any body to any address; what is not a form, bytes or a text goes as JSON. */
  postTo(path: string, body: object | string, init: RequestInit = {}): Promise<Response> {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData
    const type: Record<string, string> = body instanceof FormData ? {} : { 'content-type': 'application/json' }
    return fetch(this.url + path, {
      method: 'POST',
      ...init,
      headers: { ...this.#headers, ...type, ...(init.headers as Record<string, string>) },
      body: raw ? (body as BodyInit) : JSON.stringify(body),
    })
  }

  get = (path: string, headers: Record<string, string> = {}) =>
    fetch(this.url + path, { headers: { ...this.#headers, ...headers } })

  get #headers(): Record<string, string> {
    return { authorization: `Bearer sk-${this.key}`, 'accept-language': 'en' }
  }

  /** A chat with this text, answered whole; further fields as given. */
  chat = (fields: Record<string, unknown> = {}, init?: RequestInit) => this.post(chatBody(fields), init)
  stream = (fields: Record<string, unknown> = {}, init?: RequestInit) => this.chat({ stream: true, ...fields }, init)

  balance = () => balance(this.person)
}

export const chatBody = (fields: Record<string, unknown> = {}) => ({
  model: MODEL,
  messages: [{ role: 'user', content: 'Say hello' }],
  ...fields,
})

/** A user with quota and a key whose own quota does not limit. */
export async function client(token: Record<string, unknown> = {}, quota = RICH): Promise<Client> {
  const person = await visitor(Role.user, quota)
  return clientOf(person, token)
}

export async function clientOf(person: Person, token: Record<string, unknown> = {}): Promise<Client> {
  const fields = parse(NewToken, wired({ name: 'key', unlimited_quota: true, ...token }))
  const [made] = await createTokens(await callerOf(person), fields)
  return new Client(person, made!.key)
}
