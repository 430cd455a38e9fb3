/** State and role of a user. */
import { State } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import type { UserView } from '../../src/contracts/user.ts'
import type { MessageKey, Translate } from '../../src/locales/index.ts'

const states = {
  [UserStatus.enabled]: { tone: 'open', word: 'user.enabled' },
  [UserStatus.banned]: { tone: 'stopped', word: 'user.banned' },
} as const

const unknown = { tone: 'limited', word: 'user.state_unknown' } as const

const gone = { tone: 'fact', word: 'user.gone' } as const

const stateOf = ({ status, DeletedAt }: UserView) =>
  DeletedAt === null ? (states[status as keyof typeof states] ?? unknown) : gone

export const stateName = (user: UserView) => stateOf(user).word

export function UserState({ user }: { user: UserView }) {
  const { t } = usePageContext()
  const { tone, word } = stateOf(user)
  return <State tone={tone}>{t(word)}</State>
}

const roles: Record<number, MessageKey> = {
  [Role.user]: 'user.role_user',
  [Role.admin]: 'user.role_admin',
  [Role.root]: 'user.role_root',
}

/** An imported database can have other roles. */
export const roleName = (role: number, t: Translate) => t(roles[role] ?? 'user.role_unknown')
