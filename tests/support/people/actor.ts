/** Who a person is to the domain, as the console tells the domain. */
import type { SessionUser } from '../../../src/contracts/account.ts'
import type { Actor } from '../../../src/contracts/actor.ts'
import { userByLogin } from '../../../src/domain/users/index.ts'
import type { Person } from './person.ts'

export async function callerOf({ username }: Person): Promise<SessionUser> {
  const { id, display_name, role, group } = (await userByLogin(username))!
  return { id, username, display_name, role, group }
}

export async function actorOf(person: Person): Promise<Actor> {
  const { id, username, role } = await callerOf(person)
  return { id, username, role, address: '127.0.0.1', request_id: 'of-a-test' }
}

/** A value as it arrives over the wire. */
export const wired = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
