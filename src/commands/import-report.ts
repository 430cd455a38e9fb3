/** The report on moving in, as a page and as lines. */
import { MOVED_NOUNS, type MoveNote, type MoveNoteKey, type MoveReport } from '../contracts/moving-in.ts'
import { translate } from '../locales/index.ts'

const LANGUAGE = 'en'

const wordOf = (note: MoveNote) => translate(LANGUAGE, note.key, note.params)
const isSeen = ({ counts }: MoveReport) => MOVED_NOUNS.filter(noun => counts[noun].found)
const leftOf = ({ found, carried, before }: MoveReport['counts']['user']) => found - carried - before

/** A line for each noun, and one for the balances. */
export function summaryOf(report: MoveReport): string {
  const { found, carried, before, left } = report.balances
  const lines = isSeen(report).map(noun => {
    const counts = report.counts[noun]
    return `${noun}: ${counts.carried} carried, ${counts.before} by an earlier run, ${leftOf(counts)} left, of ${counts.found}`
  })
  return [
    `${report.product}${report.is_dry ? ' (dry run: nothing is written)' : ''}`,
    ...lines,
    `balances: ${carried} carried, ${before} by an earlier run, ${left} left, of ${found}`,
  ].join('\n')
}

const row = (cells: unknown[], tag = 'td') =>
  `<tr>${cells.map(cell => `<${tag}>${Bun.escapeHTML(String(cell))}</${tag}>`).join('')}</tr>`
const table = (head: string[], rows: unknown[][]) =>
  `<table>${row(head, 'th')}${rows.map(cells => row(cells)).join('\n')}</table>`

export function reportPage(report: MoveReport): string {
  const { product, source, address, balances, totals, notes, channels } = report
  const title = `Moving in from ${product}${report.is_dry ? ': dry run' : ''}`
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>body{font:15px/1.5 system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem}table{border-collapse:collapse;margin:1rem 0}
td,th{border-bottom:1px solid #ccc;padding:.25rem .75rem;text-align:left}</style>
<h1>${title}</h1>
<p>${Bun.escapeHTML(`From ${address}, named ${source}. Ids ${report.keeps_ids ? 'stay where they are free' : 'are new'}.`)}</p>
<h2>Rows</h2>
${table(
  ['Of', 'Found', 'Carried', 'By an earlier run', 'Left'],
  isSeen(report).map(noun => {
    const { found, carried, before } = report.counts[noun]
    return [noun, found, carried, before, leftOf(report.counts[noun])]
  }),
)}
<h2>Balances in quota</h2>
${table(['Found', 'Carried', 'By an earlier run', 'Left'], [[balances.found, balances.carried, balances.before, balances.left]])}
<h2>Choices</h2>
${table(
  ['Choice', 'Times'],
  Object.entries(totals).map(([key, times]) => [
    translate(LANGUAGE, `moving.total_${key.slice('moving.'.length)}` as MoveNoteKey),
    times,
  ]),
)}
<h2>Channels</h2>
${table(
  ['Id there', 'Id here', 'Name', 'Type there', 'Type here'],
  channels.map(({ id, new_id, name, type, new_type }) => [id, new_id, name, type, new_type]),
)}
<h2>Each of them</h2>
${table(
  ['Of', 'Id there', 'Choice'],
  notes.map(note => [note.noun, note.id || '', wordOf(note)]),
)}
</html>
`
}
