/** Checks the groups that a key falls back to. */
import type { SessionUser } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { FALLBACK_GROUPS_MAX, type NewToken, type Token } from '../../contracts/token.ts'
import { commaList } from '../../pure/lists.ts'
import { usableGroups } from '../pricing/index.ts'

/** @throws Refusal 400 for one that the owner may not choose, the key's own, or too many */
export function checkFallbacks(
  owner: SessionUser,
  { group, fallback_groups }: Partial<Pick<NewToken, 'group' | 'fallback_groups'>>,
  before?: Token,
) {
  if (group === undefined && fallback_groups === undefined) return
  const groups = commaList(fallback_groups ?? before?.fallback_groups ?? '')
  if (groups.length > FALLBACK_GROUPS_MAX) throw refused('token.fallback_groups_too_many', { max: FALLBACK_GROUPS_MAX })
  const first = (group ?? before?.group) || owner.group
  if (groups.includes(first)) throw refused('token.fallback_group_repeated', { group: first })
  // A group that the owner may no longer use stays until it is taken out.
  const known = new Set([...Object.keys(usableGroups(owner.group)), ...commaList(before?.fallback_groups ?? '')])
  const lost = groups.find(name => !known.has(name))
  if (lost !== undefined) throw refused('token.fallback_group_unusable', { group: lost })
}

type Code = 'token.fallback_groups_too_many' | 'token.fallback_group_repeated' | 'token.fallback_group_unusable'

const refused = (code: Code, facts: Record<string, string | number>) => new Refusal(code, facts, 400, 'fallback_groups')
