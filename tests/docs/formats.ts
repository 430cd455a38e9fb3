/** The text of docs/formats.md. */
import { type FormatName, finishReasons, formats } from '../../src/formats/canonical/chat.ts'
import { dialects } from '../../src/formats/index.ts'
import { type Losses, losses } from '../../src/formats/translate/losses.ts'
import { budgets } from '../../src/models/effort.ts'
import type { Json } from '../../src/pure/json.ts'
import { check, modes, type Row, rows } from '../formats/matrix.ts'
import { labelFor, requestOf } from '../formats/support.ts'
import { table } from './table.ts'

const names: Record<FormatName, string> = {
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic Messages',
  gemini: 'Gemini generateContent',
}

const columns: Record<Row, string> = {
  text: 'Text',
  tools: 'Parallel tools',
  image: 'Picture in',
  schema: 'Structured output',
  thinking: 'Thinking',
  stop: 'Stop',
  error: 'Error',
}

export const formatsDocument = (): string =>
  `${[
    '# Formats',
    'Callers of four formats can be served by upstreams of any of the four. This page is printed by `bun run docs` from the tests and from `src/formats/translate/losses.ts`; a test fails when it is behind.',
    'Caller and upstream of the same format: the body is edited in place and the answer passes untouched, so everything below concerns different formats only.',
    'Fields that only one format has (`service_tier`, `safetySettings`, `context_management` …) go to upstreams of that format alone. OpenAI’s two formats share those that mean the same in both.',
    '## What is tested',
    'Every cell holds, whole and streamed: what the upstream is sent means what the caller said, and what the caller is told means what the upstream answered, usage included. ✓ both, ✗ not.',
    grid(),
    '## How hard to think',
    'Some formats take a word, others a number of tokens.',
    table(
      ['Effort', 'Tokens'],
      Object.entries(budgets).map(([effort, tokens]) => [`\`${effort}\``, tokens.toLocaleString('en')]),
    ),
    '## Why an answer ends',
    table(['', ...formats.map(format => names[format])], finishReasons.map(finishRow)),
    ...formats.flatMap(format => section(names[format], losses[format])),
  ].join('\n\n')}\n`

function grid(): string {
  const lines = formats.flatMap(caller =>
    formats.map(upstream => [
      `${names[caller]} → ${names[upstream]}`,
      ...rows.map(row => (modes.every(mode => holds(() => check(caller, upstream, row, mode))) ? '✓' : '✗')),
    ]),
  )
  return table(['Caller → upstream', ...rows.map(row => columns[row])], lines)
}

function holds(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

function finishRow(reason: (typeof finishReasons)[number]): string[] {
  const answer = { id: '', model: 'm', choices: [{ parts: [], finish: { reason } }], doubts: [] }
  const words = formats.map(format =>
    finishWord(dialects[format].writeResponse(answer, labelFor(requestOf(format, 'text')))),
  )
  return [reason.replaceAll('_', ' '), ...words.map(word => `\`${word}\``)]
}

function finishWord({ choices, candidates, stop_reason, status, incomplete_details }: Json): unknown {
  if (Array.isArray(choices)) return choices[0].finish_reason
  if (Array.isArray(candidates)) return candidates[0].finishReason
  return stop_reason ?? (status === 'incomplete' ? `incomplete: ${(incomplete_details as Json).reason}` : status)
}

function section(name: string, { dropped, refused, changed, untold }: Losses): string[] {
  const kinds = {
    'left out': dropped,
    'refused (400)': refused,
    changed,
    'left out of the answer': untold,
  }
  const lines = Object.entries(kinds).flatMap(([what, reasons]) =>
    Object.entries(reasons).map(([feature, why]) => [feature.replaceAll('_', ' '), what, why]),
  )
  return [`## ${name}`, table(['What', 'Outcome', 'Why or how'], lines)]
}
