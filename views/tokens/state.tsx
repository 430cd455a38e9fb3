/** State of a token, with its model and IP limits. */
import { State } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Token, TokenStatus } from '../../src/contracts/token.ts'
import { commaList, lineList } from '../../src/pure/lists.ts'

const states = {
  [TokenStatus.enabled]: { tone: 'open', word: 'token.enabled' },
  [TokenStatus.disabled]: { tone: 'fact', word: 'token.disabled' },
  [TokenStatus.expired]: { tone: 'stopped', word: 'token.expired' },
  [TokenStatus.exhausted]: { tone: 'limited', word: 'token.exhausted' },
} as const

/** Message key of the state. */
export const stateName = ({ status }: Token) => states[status as keyof typeof states].word

export function TokenState({ token }: { token: Token }) {
  const { t } = usePageContext()
  const models = token.model_limits_enabled ? commaList(token.model_limits).length : 0
  const addresses = lineList(token.allow_ips).length
  const limits = [
    token.model_limits_enabled && t('token.only_models', { count: models }),
    addresses > 0 && t('token.only_addresses', { count: addresses }),
  ].filter(Boolean)
  const { tone, word } = states[token.status as keyof typeof states]
  return (
    <State tone={tone} more={limits.join(' · ')}>
      {t(word)}
    </State>
  )
}
