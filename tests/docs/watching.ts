/** The text of docs/watching.md: its prose stands there, the table of metrics is printed. */
import '../../src/app.ts'
import '../../src/console-app.ts'
import '../../src/jobs/schedule.ts'
import { allMetrics } from '../../src/process/metrics/registry.ts'
import { table } from './table.ts'

const MARK = '<!-- From here on printed by `npm run docs`. -->'

/** @param written the document as it is */
export function watchingDocument(written: string): string {
  const prose = written.slice(0, written.indexOf(MARK))
  const ours = allMetrics().filter(({ name }) => /^(tollgate|gen_ai)_/.test(name))
  const lines = ours.map(({ name, type, labels, help }) => [
    `\`${name}\``,
    type,
    labels.map(label => `\`${label}\``).join(' '),
    help,
  ])
  return `${prose}${MARK}\n\n${table(['Metric', 'Type', 'Labels', ''], lines)}\n`
}
