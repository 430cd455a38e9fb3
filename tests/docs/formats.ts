/** The text of docs/formats.md. */
import { type ClientFormatName, finishReasons } from '../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { everywhere, type Losses } from '../../src/formats/translate/losses.ts'
import { budgets } from '../../src/models/effort.ts'
import type { Json } from '../../src/pure/json.ts'
import { check, modes, type Row, rows } from '../formats/matrix.ts'
import { labelFor, requestOf } from '../formats/support.ts'
import { checkUpstream } from '../formats/upstream-matrix.ts'
import type { UpstreamWire } from '../formats/wire/upstream-wire.ts'
import { upstreamWires } from '../formats/wire/upstreams.ts'
import { table } from './table.ts'

const names: Record<ClientFormatName, string> = {
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic Messages',
  gemini: 'Gemini generateContent',
}

const columns: Record<Row, string> = {
  text: 'Text',
  tools: 'Parallel tools',
  image: 'Image input',
  schema: 'Structured output',
  thinking: 'Thinking',
  stop: 'Stop sequences',
  error: 'Error',
}

export const formatsDocument = (): string =>
  `${[
    '# Formats',
    'A client can use any of four chat formats, whichever of them the upstream has. This page is printed by `bun run docs` from the tests and from `src/formats/<name>/limits.ts`; a test fails when it is out of date.',
    'With the same format on both sides the request body is edited in place and the response passes unchanged. Everything below concerns translation between different formats.',
    'Fields that exist in one format only (`service_tier`, `safetySettings`, `context_management` …) are sent only to upstreams of that format. OpenAI’s two formats share the fields that mean the same in both.',
    '## Tested translations',
    '✓ means that request and response keep their meaning, usage included, streamed and not streamed; ✗ means that one of them does not.',
    grid(),
    'Claude speaks Anthropic’s format at Bedrock and Vertex AI, Gemini its own at Vertex AI, and Alibaba’s compatible mode OpenAI’s: the rows of these formats hold there.',
    ...absences(),
    '## Reasoning effort',
    'Some formats have a named effort, others a budget of tokens. They are converted by this table.',
    table(
      ['Effort', 'Tokens'],
      Object.entries(budgets).map(([effort, tokens]) => [`\`${effort}\``, tokens.toLocaleString('en')]),
    ),
    '## Finish reasons',
    table(['', ...formats.map(format => names[format])], finishReasons.map(finishRow)),
    ...section('Every translation', { dropped: {}, refused: {}, changed: everywhere, omitted: {} }),
    ...formats.flatMap(format => section(names[format], chatFormats[format].limits.losses)),
    ...upstreamWires.flatMap(({ title, format }) => section(title, format.limits.losses)),
  ].join('\n\n')}\n`

function grid(): string {
  const lines = formats.flatMap(caller =>
    formats.map(upstream => [
      `${names[caller]} → ${names[upstream]}`,
      ...rows.map(row => (modes.every(mode => holds(() => check(caller, upstream, row, mode))) ? '✓' : '✗')),
    ]),
  )
  const others = upstreamWires.flatMap(wire =>
    formats.map(client => [`${names[client]} → ${wire.title}`, ...rows.map(row => upstreamCell(client, wire, row))]),
  )
  return table(['Client → upstream', ...rows.map(row => columns[row])], [...lines, ...others])
}

function upstreamCell(client: ClientFormatName, wire: UpstreamWire, row: Row): string {
  if (wire.without?.[row]) return '–'
  return modes.every(mode => holds(() => checkUpstream(client, wire, row, mode))) ? '✓' : '✗'
}

/** Why a format lacks a column. */
function absences(): string[] {
  const lines = upstreamWires.flatMap(({ title, without = {} }) =>
    Object.entries(without).map(([row, why]) => [title, columns[row as Row], why]),
  )
  return lines.length ? ['– means that the format has no such thing:', table(['', 'Feature', 'Reason'], lines)] : []
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
    finishWord(chatFormats[format].writeResponse(answer, labelFor(requestOf(format, 'text')))),
  )
  return [reason.replaceAll('_', ' '), ...words.map(word => `\`${word}\``)]
}

function finishWord({ choices, candidates, stop_reason, status, incomplete_details }: Json): unknown {
  if (Array.isArray(choices)) return choices[0].finish_reason
  if (Array.isArray(candidates)) return candidates[0].finishReason
  return stop_reason ?? (status === 'incomplete' ? `incomplete: ${(incomplete_details as Json).reason}` : status)
}

function section(name: string, { dropped, refused, changed, omitted }: Losses): string[] {
  const kinds = {
    'left out': dropped,
    'refused (400)': refused,
    changed,
    'left out of the response': omitted,
  }
  const lines = Object.entries(kinds).flatMap(([what, reasons]) =>
    Object.entries(reasons).map(([feature, why]) => [feature.replaceAll('_', ' '), what, why]),
  )
  return [`## ${name}`, table(['Feature', 'Outcome', 'Reason or replacement'], lines)]
}
