/** What would move in from another gateway: rows, balances, choices, channels. */
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PagePart } from '../../client/components/page-part.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import { MOVED_NOUNS, type MovedNoun, type MoveNoteKey, type MoveReport } from '../../src/contracts/moving-in.ts'

/** Single choices on the page; the command writes all of them into a file. */
const NOTES_SHOWN = 200

const numberOf = (value: number) => value.toLocaleString('en')

export function ImportReport({ report }: { report: MoveReport }) {
  const { t } = usePageContext()
  const { notes, channels } = report
  return (
    <div className="grid gap-6 mt-6">
      <PagePart title={report.address} small={t('setup.import_product', { product: report.product })}>
        <Rows report={report} />
      </PagePart>
      <PagePart title={t('setup.import_balances')}>
        <Balances {...report.balances} />
      </PagePart>
      <Choices totals={report.totals} />
      {notes.length > 0 && (
        <details>
          <summary>{t('setup.import_notes', { count: Math.min(NOTES_SHOWN, notes.length) })}</summary>
          <ul className="m-0 mt-2 p-0 list-none help grid gap-2">
            {notes.slice(0, NOTES_SHOWN).map(item => (
              <li key={`${item.id} ${item.key} ${JSON.stringify(item.params)}`} className="wrap-anywhere">
                {t(item.key, item.params)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {channels.length > 0 && (
        <details>
          <summary>{t('setup.import_channels', { count: channels.length })}</summary>
          <ul className="m-0 mt-2 p-0 list-none help grid gap-2">
            {channels.slice(0, NOTES_SHOWN).map(({ id, name, type, new_type }) => (
              <li key={id} className="wrap-anywhere">
                {t('setup.import_channel', { name, type, new_type })}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

interface NounRow {
  noun: MovedNoun
  found: number
  carried: number
  before: number
}

function Rows({ report: { counts } }: { report: MoveReport }) {
  const { t } = usePageContext()
  const rows: NounRow[] = MOVED_NOUNS.filter(noun => counts[noun].found).map(noun => ({ noun, ...counts[noun] }))
  const wordOf = ({ noun }: NounRow) => t(`setup.import_noun_${noun}`)
  const columns: Column<NounRow>[] = [
    { id: 'noun', head: t('setup.import_of'), phone: 'title', cell: wordOf },
    { id: 'found', head: t('setup.import_found'), number: true, optional: true, cell: row => numberOf(row.found) },
    {
      id: 'carried',
      head: t('setup.import_carried'),
      number: true,
      phone: 'figure',
      cell: row => numberOf(row.carried + row.before),
    },
    {
      id: 'left',
      head: t('setup.import_left'),
      number: true,
      phone: 'detail',
      cell: row => (
        <>
          <span className="sm:hidden">{t('setup.import_left')}: </span>
          {numberOf(row.found - row.carried - row.before)}
        </>
      ),
    },
  ]
  return (
    <Table label={t('setup.import_rows')} columns={columns} rows={rows} keyOf={row => row.noun} nameOf={wordOf} dense />
  )
}

function Balances({ found, carried, before, left }: MoveReport['balances']) {
  const { t } = usePageContext()
  const rows = [
    { name: t('setup.import_found'), quota: Number(found) },
    { name: t('setup.import_carried'), quota: Number(carried) + Number(before) },
    { name: t('setup.import_left'), quota: Number(left) },
  ]
  return (
    <dl className="facts">
      {rows.map(({ name, quota }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Quota of={quota} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Choices({ totals }: Pick<MoveReport, 'totals'>) {
  const { t } = usePageContext()
  const choices = Object.entries(totals) as [MoveNoteKey, number][]
  if (!choices.length) return null
  return (
    <PagePart title={t('setup.import_choices')}>
      <ul className="m-0 p-0 list-none">
        {choices.map(([key, times]) => (
          <li key={key} className="flex justify-between gap-6 py-1">
            <span>{t(`moving.total_${key.slice('moving.'.length)}` as MoveNoteKey)}</span>
            <span className="tabular-nums">{numberOf(times)}</span>
          </li>
        ))}
      </ul>
    </PagePart>
  )
}
