/** What a field that names something suggests: the latest names before a key is typed, then those that contain the text. */
import { Role, type SessionUser } from '../../contracts/account.ts'
import { channelText, SUGGESTIONS_MAX, type SuggestedNoun, type Suggestion } from '../../contracts/suggestion.ts'
import { latestNames } from '../../domain/logs/index.ts'
import { groupNames, groupOffers } from '../../domain/pricing/index.ts'
import { allChannels, enabledModels, offeredModels } from '../../domain/routing/index.ts'
import { listTokens } from '../../domain/tokens/index.ts'
import { findUsers } from '../../domain/users/index.ts'

const suggest: Record<SuggestedNoun, (caller: SessionUser, text: string) => Promise<Suggestion[]>> = {
  channels: async (_, text) => (await findChannels(text, SUGGESTIONS_MAX)).map(one => ({ value: channelText(one) })),
  users: suggestUsers,
  models: async (caller, text) => namesOf([...(await latest(caller)).models, ...(await modelsFor(caller))], text),
  tokens: async (caller, text) => namesOf([...(await latest(caller)).tokens, ...(await ownTokens(caller, text))], text),
}

/** At most ten. */
export const suggestions = (of: SuggestedNoun, caller: SessionUser, text: string): Promise<Suggestion[]> =>
  suggest[of](caller, text.trim().slice(0, TEXT_MAX))

const TEXT_MAX = 100

async function suggestUsers(caller: SessionUser, text: string): Promise<Suggestion[]> {
  if (!text) return namesOf((await latest(caller)).users, '')
  const users = await findUsers(caller, text, SUGGESTIONS_MAX)
  return users.map(({ id, username, display_name }) => ({
    value: username,
    hint: [`#${id}`, display_name !== username && display_name].filter(Boolean).join(' '),
  }))
}

/** Channels by id or name, the id first. */
export async function findChannels(text: string, max: number) {
  const all = await allChannels()
  const id = Number(text.replace(/^#/, ''))
  const first = all.filter(channel => channel.id === id)
  return [...first, ...all.filter(({ id: other, name }) => other !== id && includes(name, text))].slice(0, max)
}

/** Administrators see every model that is served, users those that their groups may call. */
export const modelsFor = ({ role, group }: SessionUser): Promise<string[]> =>
  role >= Role.admin ? enabledModels(groupNames()) : offeredModels(Object.keys(groupOffers(group)))

export const includes = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase())

const latest = ({ id, role }: SessionUser) => latestNames(role >= Role.admin ? undefined : id)

async function ownTokens({ id }: SessionUser, text: string): Promise<string[]> {
  const { items } = await listTokens(id, { page: 1, size: SUGGESTIONS_MAX, offset: 0 }, { text })
  return items.map(token => token.name)
}

const namesOf = (names: string[], text: string): Suggestion[] =>
  [...new Set(names.filter(name => includes(name, text)))].slice(0, SUGGESTIONS_MAX).map(value => ({ value }))
