/** Columns of the token list, and those that a reader can hide. */
import { Meter, Tag } from '../../client/components/badge.tsx'
import { optionalColumns } from '../../client/components/column-choice.tsx'
import { Copy } from '../../client/components/copy.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { Ago, At } from '../../client/components/moment.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Column } from '../../client/components/table.tsx'
import type { GroupOffer } from '../../src/contracts/pricing.ts'
import { KEY_PREFIX, KEY_TAIL_LENGTH, NEVER, type Token } from '../../src/contracts/token.ts'
import type { Translate } from '../../src/locales/index.ts'
import { commaList } from '../../src/pure/lists.ts'
import { logsAt } from '../logs/view.ts'
import { TokenState } from './state.tsx'
import { type TokensView, tokensAt } from './view.ts'

interface ColumnContext {
  t: Translate
  view: TokensView
  groups: Record<string, GroupOffer>
  ownGroup: string
  hidden: string[]
}

/** From 77rem on every column has room; the meter of what is left, which has no heading, needs more. */
const hiddenBelowRoom = 'sm:max-[77rem]:hidden'
const inRoom = 'min-[77rem]:hidden'
const hiddenBelowWideDesktop = 'sm:max-[89rem]:hidden'

export const tokenColumns = optionalColumns(
  'token-columns',
  {
    key: 'token.key',
    state: 'token.state',
    left: 'token.left',
    used: 'token.used',
    group: 'token.group',
    expires: 'token.expires',
    last_used: 'token.last_used',
  },
  { expires: inRoom, last_used: inRoom },
)

export function columnsOf({ t, view, groups, ownGroup, hidden }: ColumnContext): Column<Token>[] {
  const cells: Record<(typeof tokenColumns.ids)[number], Omit<Column<Token>, 'id' | 'head'>> = {
    key: { cell: token => <Key token={token} /> },
    state: {
      phone: 'detail',
      className: 'truncate sm:max-[85rem]:max-w-32',
      cell: token => <TokenState token={token} />,
    },
    left: { phone: 'figure', number: true, cell: token => <Left token={token} /> },
    used: { number: true, optional: true, cell: token => <Used token={token} /> },
    group: {
      optional: true,
      cell: ({ group, fallback_groups }) => (
        <>
          <Tag name={group || ownGroup} ratio={groups[group || ownGroup]?.ratio} />{' '}
          <More names={commaList(fallback_groups)} title={t('token.fallback_groups')} />
        </>
      ),
    },
    expires: { optional: true, className: `ink-2 ${hiddenBelowRoom}`, cell: token => <Expiry token={token} /> },
    last_used: {
      phone: 'side',
      optional: true,
      className: `ink-2 ${hiddenBelowRoom}`,
      cell: token => <LastUsed token={token} />,
    },
  }
  const name: Column<Token> = {
    id: 'name',
    head: t('token.name'),
    phone: 'title',
    className: 'truncate sm:max-w-32 min-[89rem]:max-w-32 min-[97rem]:max-w-52',
    cell: ({ id, name }) => (
      <OverlayLink href={tokensAt(view, { edit: id })} title={name}>
        {name}
      </OverlayLink>
    ),
  }
  const share: Column<Token> = {
    id: 'share',
    head: <span className="sr-only">{t('token.share_left')}</span>,
    optional: true,
    className: `w-28 ${hiddenBelowWideDesktop}`,
    cell: token => <Share token={token} />,
  }
  const shown = tokenColumns.choices(t).filter(({ id }) => !hidden.includes(id))
  return [
    name,
    ...shown.flatMap(({ id, label }) => [{ id, head: label, ...cells[id] }, ...(id === 'left' ? [share] : [])]),
  ]
}

function Key({ token }: { token: Token }) {
  const { t } = usePageContext()
  return (
    <span className="mono inline-flex items-center gap-1">
      {KEY_PREFIX}…{token.key.slice(-KEY_TAIL_LENGTH)}
      <Copy text={KEY_PREFIX + token.key} label={t('token.copy_key_of', { name: token.name })} />
    </span>
  )
}

function Left({ token }: { token: Token }) {
  const { t } = usePageContext()
  return token.unlimited_quota ? (
    <span className="ink-2">{t('token.unlimited')}</span>
  ) : (
    <Quota of={token.remain_quota} />
  )
}

/** Leads to the log of the token. */
function Used({ token: { name, used_quota } }: { token: Token }) {
  const { t } = usePageContext()
  return (
    <a className="hover:underline" href={logsAt({ token_name: name, range: '30d' })} title={t('token.usage')}>
      <Quota of={used_quota} />
    </a>
  )
}

const Share = ({ token: { name, unlimited_quota, remain_quota, used_quota } }: { token: Token }) =>
  unlimited_quota ? null : (
    <span className="block min-w-10">
      <Meter name={name} left={remain_quota} total={remain_quota + used_quota} />
    </span>
  )

function Expiry({ token }: { token: Token }) {
  const { t } = usePageContext()
  return token.expired_time === NEVER ? t('time.never') : <At at={token.expired_time} show="day" />
}

function LastUsed({ token }: { token: Token }) {
  const { t } = usePageContext()
  return token.accessed_time ? <Ago at={token.accessed_time} /> : t('token.never_used')
}

/** The number of groups that the key falls back to, which a tooltip names. */
const More = ({ names, title }: { names: string[]; title: string }) =>
  names.length > 0 && (
    <span className="tag" title={`${title}: ${names.join(', ')}`}>
      +{names.length}
    </span>
  )
