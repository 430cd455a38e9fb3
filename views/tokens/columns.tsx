/** What the list says of a token, and which of it the reader wants to see. */
import Columns3 from 'lucide-react/icons/columns-3'
import { Meter, State, Tag } from '../../client/parts/badge.tsx'
import { Copy } from '../../client/parts/copy.tsx'
import { Icon } from '../../client/parts/icon.tsx'
import { Form, Go } from '../../client/parts/link.tsx'
import { Menu } from '../../client/parts/menu.tsx'
import { Ago, At } from '../../client/parts/moment.tsx'
import { Quota } from '../../client/parts/money.tsx'
import { useReader } from '../../client/parts/reader.tsx'
import type { Column } from '../../client/parts/table.tsx'
import type { GroupOffer } from '../../src/contracts/pricing.ts'
import { KEY_PREFIX, KEY_TAIL_LENGTH, NEVER, type Token, TokenStatus } from '../../src/contracts/token.ts'
import type { Sentence, Translate } from '../../src/locales/index.ts'
import { commaList, lineList } from '../../src/pure/wire.ts'
import { TOKENS_PATH, type TokensView, tokensAt } from './view.ts'

interface Showing {
  t: Translate
  view: TokensView
  groups: Record<string, GroupOffer>
  ownGroup: string
  hidden: string[]
}

/** Those that can be put away, in their order, with their headings. */
const choices = {
  key: 'token.key',
  state: 'token.state',
  left: 'token.left',
  used: 'token.used',
  group: 'token.group',
  expires: 'token.expires',
  last_used: 'token.last_used',
} as const satisfies Record<string, Sentence>

type Choice = keyof typeof choices
const choiceIds = Object.keys(choices) as Choice[]

export function columnsOf({ t, view, groups, ownGroup, hidden }: Showing): Column<Token>[] {
  const cells: Record<Choice, Omit<Column<Token>, 'id' | 'head'>> = {
    key: { className: 'mono', cell: token => <Key token={token} /> },
    state: { phone: 'sub', cell: token => <TokenState token={token} /> },
    left: { phone: 'fig', num: true, cell: token => <Left token={token} /> },
    used: { num: true, opt: true, cell: token => <Quota of={token.used_quota} /> },
    group: { cell: ({ group }) => <Tag name={group || ownGroup} ratio={groups[group || ownGroup]?.ratio} /> },
    expires: { opt: true, className: 'ink-2', cell: token => <Expiry token={token} /> },
    last_used: { phone: 'side', opt: true, className: 'ink-2', cell: token => <LastUsed token={token} /> },
  }
  const name: Column<Token> = {
    id: 'name',
    head: t('token.name'),
    phone: 'main',
    cell: token => <Go href={tokensAt(view, { edit: token.id })}>{token.name}</Go>,
  }
  const share: Column<Token> = {
    id: 'share',
    head: <span className="sr">{t('token.share_left')}</span>,
    opt: true,
    className: 'w-28',
    cell: token => <Share token={token} />,
  }
  const wanted = choiceIds.filter(id => !hidden.includes(id))
  return [
    name,
    ...wanted.flatMap(id => [{ id, head: t(choices[id]), ...cells[id] }, ...(id === 'left' ? [share] : [])]),
  ]
}

/** Ticked columns are shown; the choice is remembered by the browser. */
export function ColumnChoice({ hidden, returnTo }: { hidden: string[]; returnTo: string }) {
  const { t } = useReader()
  const button = (
    <>
      <Icon of={Columns3} />
      <span className="wide-only">{t('part.columns')}</span>
    </>
  )
  return (
    <Menu id="token-columns" label={t('part.columns')} button={button} className="btn max-sm:!px-3">
      <Form action={`${TOKENS_PATH}/columns`} returnTo={returnTo} hx-trigger="change" className="grid gap-1 p-2">
        {choiceIds.map(id => (
          <label key={id} className="flex items-center gap-2 pr-6 h-7">
            <input
              type="checkbox"
              className="checkbox"
              name="columns[]"
              value={id}
              defaultChecked={!hidden.includes(id)}
            />
            {t(choices[id])}
          </label>
        ))}
        <noscript>
          <button type="submit">{t('part.save')}</button>
        </noscript>
      </Form>
    </Menu>
  )
}

/** The columns that a form did not tick. */
export const hiddenOf = (shown: string[]): string[] => choiceIds.filter(id => !shown.includes(id))

function Key({ token }: { token: Token }) {
  const { t } = useReader()
  return (
    <span className="inline-flex items-center gap-1">
      {KEY_PREFIX}…{token.key.slice(-KEY_TAIL_LENGTH)}
      <Copy text={KEY_PREFIX + token.key} label={t('token.copy_key_of', { name: token.name })} />
    </span>
  )
}

const states = {
  [TokenStatus.enabled]: { arm: 'open', word: 'token.enabled' },
  [TokenStatus.disabled]: { arm: 'fact', word: 'token.disabled' },
  [TokenStatus.expired]: { arm: 'stopped', word: 'token.expired' },
  [TokenStatus.exhausted]: { arm: 'limited', word: 'token.exhausted' },
} as const

function TokenState({ token }: { token: Token }) {
  const { t } = useReader()
  const models = token.model_limits_enabled ? commaList(token.model_limits).length : 0
  const addresses = lineList(token.allow_ips).length
  const limits = [
    token.model_limits_enabled && t('token.only_models', { count: models }),
    addresses > 0 && t('token.only_addresses', { count: addresses }),
  ].filter(Boolean)
  const { arm, word } = states[token.status as keyof typeof states]
  return (
    <State arm={arm} more={limits.join(' · ')}>
      {t(word)}
    </State>
  )
}

function Left({ token }: { token: Token }) {
  const { t } = useReader()
  return token.unlimited_quota ? (
    <span className="ink-2">{t('token.unlimited')}</span>
  ) : (
    <Quota of={token.remain_quota} />
  )
}

const Share = ({ token: { name, unlimited_quota, remain_quota, used_quota } }: { token: Token }) =>
  unlimited_quota ? null : <Meter name={name} left={remain_quota} total={remain_quota + used_quota} />

function Expiry({ token }: { token: Token }) {
  const { t } = useReader()
  return token.expired_time === NEVER ? t('time.never') : <At at={token.expired_time} show="day" />
}

function LastUsed({ token }: { token: Token }) {
  const { t } = useReader()
  return token.accessed_time ? <Ago at={token.accessed_time} /> : t('token.never_used')
}
