/** An authenticator app (RFC 6238, computed independently of the product), and users who have set one up. */
import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { users } from '../../../src/domain/users/table.ts'
import { now } from '../../../src/process/clock.ts'
import { type Answer, anyone, cheapHash, type Person, visitor } from './person.ts'

const STEP_SECONDS = 30

/** The six digits that the app shows, some steps from now. */
export function codeOf(secret: string, steps = 0): string {
  const bits = Array.from(secret, letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
    .map(value => value.toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map(byte => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now() / STEP_SECONDS) + steps))
  const hash = createHmac('sha1', key).update(counter).digest()
  const at = hash.at(-1)! & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export const PASSWORD = 'right-password'

export async function withPassword(role?: number): Promise<Person> {
  const person = await visitor(role)
  const password = await cheapHash(PASSWORD)
  await db.update(users).set({ password }).where(eq(users.id, person.id))
  return person
}

/** Someone with a password and an authenticator app; the code of the step before the present one is used. */
export async function withApp(role?: number) {
  const person = await withPassword(role)
  return { person, ...(await setUpApp(person)) }
}

export async function setUpApp(person: Person): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await person.post('/api/user/authenticator')).data
  const confirm = () => person.post('/api/user/authenticator/confirm', { code: codeOf(secret, -1) })
  const first = await confirm()
  // A step that ends on the way leaves the code two steps behind, which is too old.
  const { data } = first.success ? first : await confirm()
  return { secret, codes: data.recovery_codes }
}

/** A browser without a session, which keeps the cookies of each response. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  /** @param headers of every request */
  constructor(readonly headers: Record<string, string> = {}) {}

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep(response: Response) {
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (/; Max-Age=0(;|$)/.test(set)) this.#cookies.delete(name!)
      else this.#cookies.set(name!, value!)
    }
  }

  async send(path: string, body: object): Promise<Answer> {
    const headers = { ...this.headers, 'content-type': 'application/json', cookie: this.cookie }
    const response = await anyone.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    this.#keep(response)
    return Object.assign((await response.json()) as Answer, { status: response.status })
  }

  async form(path: string, fields: Record<string, string>): Promise<Response> {
    const response = await anyone.form(path, fields, { headers: { ...this.headers, cookie: this.cookie } })
    this.#keep(response)
    return response
  }

  page = (path: string) => anyone.page(path, { headers: { ...this.headers, cookie: this.cookie } })

  /** The first step. */
  begin = ({ username }: Person) => this.send('/api/user/login', { username, password: PASSWORD })
  /** The second one. */
  finish = (ticket: string, code: string) => this.send('/api/user/login/second-factor', { ticket, code })
}
