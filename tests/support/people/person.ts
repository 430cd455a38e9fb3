/** People who use the site in tests: they sign in, call the API, open pages and send forms, all through the door. */

import { csrfOf } from '../../../src/console/csrf.ts'
import { ROOT_QUOTA, Role } from '../../../src/contracts/account.ts'
import { atomic } from '../../../src/db/atomic.ts'
import { openSession } from '../../../src/domain/account/sessions.ts'
import { isSetUp, setUp as setUpSite } from '../../../src/domain/setup/service.ts'
import { addUser, ownView, type User, userByLogin } from '../../../src/domain/users/service.ts'
import { credit } from '../../../src/domain/wallet/credit.ts'
import type { Language } from '../../../src/locales/languages.ts'
import { writeCookie } from '../../../src/web/session-cookie.ts'
import { app } from '../app/app.ts'

export const HOME = 'http://localhost'
export const ROOT = { username: 'root', password: 'opensesame' }

export type Answer = {
  status: number
  success: boolean
  message: string
  code?: string
  field?: string
  data: any
  [key: string]: any
}

type Options = { language?: Language; headers?: Record<string, string> }

export class Person {
  constructor(
    readonly id: number,
    readonly username: string,
    readonly cookie = '',
    readonly csrf = '',
  ) {}

  /** Any request with this person's cookie and user id. */
  fetch(path: string, init: RequestInit & Options = {}): Promise<Response> {
    const { language = 'en', headers, ...rest } = init
    const mine: Record<string, string> = { 'accept-language': language, origin: HOME, host: 'localhost' }
    if (this.cookie) Object.assign(mine, { cookie: this.cookie, 'tollgate-user': String(this.id) })
    return app.handle(new Request(HOME + path, { redirect: 'manual', ...rest, headers: { ...mine, ...headers } }))
  }

  async #call(method: string, path: string, body?: unknown, options: Options = {}): Promise<Answer> {
    const json = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers }
    const response = await this.fetch(path, { method, ...json, ...options, headers })
    return Object.assign((await response.json()) as Answer, { status: response.status })
  }

  get = (path: string, options?: Options) => this.#call('GET', path, undefined, options)
  post = (path: string, body: unknown = {}, options?: Options) => this.#call('POST', path, body, options)
  put = (path: string, body: unknown = {}, options?: Options) => this.#call('PUT', path, body, options)
  delete = (path: string, options?: Options) => this.#call('DELETE', path, undefined, options)

  /** Opens a page, as a browser without JavaScript does. */
  page = (path: string, options: Options = {}) =>
    this.fetch(path, { ...options, headers: { accept: 'text/html', ...options.headers } })

  /** Sends a form of a page. */
  form(path: string, fields: Record<string, string | string[]> = {}, options: Options = {}): Promise<Response> {
    const body = new URLSearchParams({ csrf: this.csrf })
    for (const [name, value] of Object.entries(fields)) for (const item of [value].flat()) body.append(name, item)
    return this.fetch(path, { method: 'POST', body, ...options })
  }
}

/** Someone who has not signed in. */
export const anyone = new Person(0, '')

/** Signs in through the API and keeps the cookie. */
export async function signIn(username: string, password: string): Promise<Person> {
  const response = await anyone.fetch('/api/user/login', {
    method: 'POST',
    body: JSON.stringify({ username, password }),
    headers: { 'content-type': 'application/json' },
  })
  const { data } = (await response.json()) as Answer
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0]!
  return new Person(data.id, username, cookie, csrfOf(sessionIdIn(cookie)))
}

const sessionIdIn = (cookie: string): string => JSON.parse(atob(cookie.split('=')[1]!.split('.')[1]!)).sid

let root: Promise<Person> | undefined

/** The root account: added on the first call, with the site set up, and signed in. */
export const setUp = (): Promise<Person> => {
  root ??= (async () => {
    if (!(await isSetUp())) {
      await addRoot()
      await setUpSite({})
    }
    return signedIn((await userByLogin(ROOT.username))!)
  })()
  return root
}

/** As the set-up form adds it, but with a hash that takes a millisecond instead of 60. */
async function addRoot() {
  const password = await cheapHash(ROOT.password)
  await atomic(function* (tx) {
    const { id } = yield* addUser(tx, { ...ROOT, password, role: Role.root, display_name: 'Root User' })
    yield* credit(tx, { user_id: id, kind: 'setup', delta: ROOT_QUOTA })
  })
}

/** A password hash of the product's kind, whose own parameters make it quick to compute and to verify. */
export const cheapHash = (password: string) =>
  Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

let count = 0

/** A new person of a role, signed in, with this much quota. The site is set up first. */
export async function visitor(role: number = Role.user, quota = 0): Promise<Person> {
  await setUp()
  const username = `person${++count}`
  const user = await atomic(function* (tx) {
    const made = yield* addUser(tx, { username, password: '', role })
    if (quota) yield* credit(tx, { user_id: made.id, kind: 'admin', delta: quota })
    return made
  })
  return signedIn(user)
}

async function signedIn(user: User): Promise<Person> {
  const session_id = await openSession(user, { address: '127.0.0.1', device: 'test' })
  const cookie = (await writeCookie({ user_id: user.id, session_id }, false)).split(';')[0]!
  return new Person(user.id, user.username, cookie, csrfOf(session_id))
}

/** The same person with a new session, after the clock was moved far. */
export const signedInAgain = async ({ username }: Person): Promise<Person> => signedIn((await userByLogin(username))!)

/** Someone with keys of these names. */
export async function withTokens(...names: string[]): Promise<Person> {
  const person = await visitor()
  for (const name of names) await person.post('/api/token/', { name })
  return person
}

/** What a person has now, as they are told. */
export const balance = async ({ id }: Person): Promise<number> => (await ownView(id)).quota
