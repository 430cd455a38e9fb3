/** The nodes that are alive. */
import { Flag } from '../../client/components/badge.tsx'
import { Ago } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { NodeFacts } from '../../src/contracts/diagnostics.ts'
import { grouped } from '../../src/pure/number.ts'

const MEGABYTE = 1_048_576

export function NodeTable({ nodes }: { nodes: NodeFacts[] }) {
  const { t } = usePageContext()
  const inMs = (ms: number) => t('diagnostics.ms', { value: grouped(ms) })
  const columns: Column<NodeFacts>[] = [
    {
      id: 'node',
      head: t('diagnostics.node'),
      phone: 'title',
      cell: ({ id, address, is_this }) => (
        <>
          <span className="mono">{address || id}</span> {is_this && <Flag>{t('diagnostics.this_node')}</Flag>}
        </>
      ),
    },
    { id: 'version', head: t('system.version'), phone: 'detail', cell: ({ version }) => version },
    {
      id: 'started',
      head: t('system.started'),
      optional: true,
      cell: ({ started_time }) => started_time > 0 && <Ago at={started_time} />,
    },
    {
      id: 'memory',
      head: t('diagnostics.memory'),
      number: true,
      phone: 'figure',
      cell: ({ memory_bytes }) => t('diagnostics.mb', { value: grouped(Math.ceil(memory_bytes / MEGABYTE)) }),
    },
    { id: 'lag', head: t('diagnostics.loop_lag'), number: true, cell: ({ loop_lag_ms }) => inMs(loop_lag_ms) },
    { id: 'calls', head: t('diagnostics.calls'), number: true, cell: ({ calls }) => grouped(calls) },
    {
      id: 'clock',
      head: t('diagnostics.clock'),
      number: true,
      optional: true,
      cell: ({ clock_offset_ms }) => (clock_offset_ms === undefined ? '—' : inMs(clock_offset_ms)),
    },
  ]
  return (
    <Table
      label={t('diagnostics.nodes')}
      columns={columns}
      rows={nodes}
      keyOf={({ id }) => id}
      nameOf={({ id, address }) => address || id}
      classOf={() => 'still'}
      dense
    />
  )
}
