/** Why a call went to its channel: each candidate with its priority, weight and chance, or why it was not asked. */
import type { ReactNode } from 'react'
import { State, Tag } from '../../client/components/badge.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { CallRecord, RecordedCandidate } from '../../src/contracts/call-record.ts'
import { grouped } from '../../src/pure/number.ts'
import { shareText } from '../channels/share-text.ts'
import { ChannelName } from '../layout/things.tsx'
import { type CallSelection, chanceOf } from './call-view.ts'
import { Price, priceText } from './detail.tsx'
import type { LogEntryView } from './entry.ts'

const DRAWS = 2 ** 32

interface ChoiceProps {
  record: CallRecord
  selection: CallSelection
  entry?: LogEntryView
}

export function CallChoice({ record, selection, entry }: ChoiceProps) {
  const { t } = usePageContext()
  const { candidates, candidates_left_out, picks } = record
  const { group, names, replayed } = selection
  const draw = picks[0]?.draw
  const again = replayed[0]
  return (
    <>
      <dl className="facts mb-4">
        {group && (
          <Fact name={t('log.group')}>
            <Tag name={group} ratio={entry?.details.group_ratio} />
          </Fact>
        )}
        {entry && <Price entry={entry} />}
        <Fact name={t('call.draw')}>
          {draw === undefined ? t('call.no_draw') : <span className="mono">{(draw / DRAWS).toFixed(6)}</span>}
          {draw !== undefined && again !== undefined && (
            <span className="ink-3">
              {' · '}
              {t('call.replayed', { channel: `#${again} ${names.get(again) ?? ''}`.trim() })}
            </span>
          )}
        </Fact>
      </dl>
      <Candidates record={record} selection={selection} entry={entry} />
      {candidates.length > 0 && candidates_left_out > 0 && (
        <p className="help">{t('call.candidates_left_out', { count: candidates_left_out })}</p>
      )}
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

interface CandidateRow extends RecordedCandidate {
  at: number
  chance?: number
}

function Candidates({ record, selection: { names }, entry }: ChoiceProps) {
  const page = usePageContext()
  const { t } = page
  // The group and the model decide it: each candidate serves the call for the same price.
  const price = entry && priceText(entry, entry.details.group_ratio ?? 1, page)
  const rows = record.candidates.map((one, at): CandidateRow => ({ ...one, at, chance: chanceOf(record, at) }))
  const nameOf = ({ id, count = 0 }: CandidateRow) => (id ? (names.get(id) ?? `#${id}`) : t('call.joined', { count }))
  const columns: Column<CandidateRow>[] = [
    {
      id: 'channel',
      head: t('log.channel'),
      phone: 'title',
      cell: row => (row.id ? <ChannelName id={row.id} name={names.get(row.id) ?? ''} /> : nameOf(row)),
    },
    { id: 'state', head: t('call.state'), phone: 'detail', cell: row => <Outcome row={row} record={record} /> },
    { id: 'priority', head: t('call.priority'), number: true, optional: true, cell: row => grouped(row.priority) },
    { id: 'weight', head: t('call.weight'), number: true, optional: true, cell: row => grouped(row.weight) },
    {
      id: 'price',
      head: t('call.price'),
      number: true,
      optional: true,
      cell: ({ exclusion }) => (exclusion || !price ? '—' : price),
    },
    {
      id: 'chance',
      head: t('call.chance'),
      number: true,
      phone: 'figure',
      cell: ({ chance }) => (chance === undefined ? '—' : shareText(chance)),
    },
  ]
  return (
    <Table
      label={t('call.why')}
      columns={columns}
      rows={rows}
      keyOf={({ at }) => at}
      nameOf={nameOf}
      classOf={() => 'still'}
      dense
    />
  )
}

/** What became of a candidate; its health as it was when the first channel was chosen. */
function Outcome({ row: { at, id, exclusion }, record: { picks, limits } }: { row: CandidateRow; record: CallRecord }) {
  const { t } = usePageContext()
  if (exclusion) return <State tone="fact">{t(`call.not_${exclusion}`)}</State>
  const turn = picks.findIndex(({ chosen }) => chosen === at)
  const closed = picks[0]?.closed.find(one => one.at === at)
  if (turn >= 0) return <State tone="open">{t('call.chosen', { number: turn + 1 })}</State>
  if (limits.some(({ limit, value }) => limit.startsWith('full_') && value === id))
    return <State tone="limited">{t('call.full')}</State>
  if (closed?.seconds) return <State tone="limited">{t('call.cooling', { count: closed.seconds })}</State>
  if (closed) return <State tone="limited">{t('call.closed')}</State>
  return <State tone="fact">{t('call.healthy')}</State>
}
