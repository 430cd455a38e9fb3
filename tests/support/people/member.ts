/** Users of a site on real servers, written into its database: they call the API with access tokens. */
import { digest } from '../../../src/crypto/sealing.ts'
import type { Installation } from '../app/installation.ts'

export interface Member {
  id: number
  headers: Record<string, string>
}

interface Answer {
  success: boolean
  message: string
  code?: string
  data: any
}

interface Sent {
  method?: string
  body?: object
  /** Idempotency key. */
  key?: string
}

/** A request of the API of one node. @throws when the connection breaks */
export async function send(
  url: string,
  { headers }: Pick<Member, 'headers'>,
  path: string,
  { method = 'POST', body = method === 'GET' ? undefined : {}, key }: Sent = {},
): Promise<Answer & { [field: string]: any }> {
  const all = key === undefined ? headers : { ...headers, 'idempotency-key': key }
  const response = await fetch(url + path, { method, headers: all, ...(body && { body: JSON.stringify(body) }) })
  return (await response.json()) as Answer
}

/** @throws with the message of a refusal */
export async function sendWell(...request: Parameters<typeof send>) {
  const answer = await send(...request)
  if (!answer.success) throw new Error(`${request[2]}: ${answer.message}`)
  return answer
}

/** New users of one name and a number. `aff_quota` is what each has earned by invitations. */
export async function addMembers(
  place: Pick<Installation, 'read' | 'change'>,
  name: string,
  count: number,
  aff_quota = 0,
): Promise<Member[]> {
  const names = Array.from({ length: count }, (_, index) => `${name}${index}`)
  const rows = names.map(name => `('${name}', '${digest(tokenOf(name))}', ${aff_quota}, 1)`)
  await place.change(`insert into users (username, access_token_hash, aff_quota, created_time) values ${rows.join()}`)
  const quoted = names.map(name => `'${name}'`).join()
  const users = await place.read(`select id, username from users where username in (${quoted}) order by id`)
  return (users as { id: unknown; username: string }[]).map(({ id, username }) => ({
    id: Number(id),
    headers: { authorization: tokenOf(username), 'tollgate-user': String(id) },
  }))
}

const tokenOf = (name: string) => `access-token-of-${name}`
