/** Names behind the keys of usage. */
import type { UsageBy } from '../../contracts/dashboard.ts'
import { channelNames } from '../../domain/channels/index.ts'
import { tokenNames } from '../../domain/tokens/index.ts'
import { isOfPlayground } from '../../domain/usage/index.ts'
import { userNames } from '../../domain/users/index.ts'

type NamedRow = { id: number; name: string }

const namesBy: Partial<Record<UsageBy, (ids: number[]) => Promise<NamedRow[]>>> = {
  token: tokenNames,
  user: userNames,
  channel: channelNames,
}

/** A key of a model, a group or the playground is its name. Of what has been deleted there is none. */
export async function namesOf(by: UsageBy, keys: readonly string[]): Promise<Map<string, string>> {
  const read = namesBy[by]
  const named = keys.filter(key => !read || (by === 'token' && isOfPlayground(key)))
  const ids = read ? keys.filter(key => !named.includes(key)).map(Number) : []
  const rows = ids.length ? await read!(ids) : []
  return new Map([...named.map(key => [key, key] as const), ...rows.map(({ id, name }) => [String(id), name] as const)])
}

/** Users of tokens, by the tokens' keys. */
export async function ownersOf(keys: readonly string[]): Promise<Map<string, string>> {
  const ids = keys.filter(key => !isOfPlayground(key)).map(Number)
  const owned = ids.length ? await tokenNames(ids) : []
  const names = await namesOf('user', [...new Set(owned.map(({ user_id }) => String(user_id)))])
  return new Map(owned.map(({ id, user_id }) => [String(id), names.get(String(user_id)) ?? '']))
}

/** Keys are names or ids. */
export const byKey = new Intl.Collator('en', { numeric: true }).compare
