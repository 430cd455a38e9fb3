/** The text of docs/fields.md. */
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { formats } from '../../src/formats/index.ts'
import { type Provider, providers, tariffFields } from '../../src/providers/index.ts'
import { acrossOutcome, type Kind, kinds, namesOf, nativeOutcome, ruleText } from '../sdk/outcomes.ts'
import { table } from './table.ts'

const names: Record<ClientFormatName, string> = {
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic Messages',
  gemini: 'Gemini generateContent',
}

const titles: Record<Kind, string> = {
  field: 'Fields',
  beta: 'Betas (`anthropic-beta`)',
  tool: 'Tools',
  block: 'Parts of a conversation',
  event: 'Parts of a response, whole or streamed',
}

export const fieldsDocument = (): string =>
  `${[
    '# Fields, betas and tools',
    'What becomes of everything that the SDKs of OpenAI, Anthropic and Google can send and read. This page is printed by `bun run docs` from the rules of the gate and from `tests/sdk/surfaces`; a test fails when it is out of date, and when an installed SDK has a name that is not here. `bun run clients:update` raises the SDKs and prints the new names.',
    '**Own format**: the upstream has the client’s format. What is passed arrives unchanged, what is priced arrives and costs what its price says, what is refused is refused by name before anything is sent or paid. **Other formats**: the request is translated; what is dropped has no place in any other format and costs nothing, what is refused no other format takes.',
    '## What may cost more',
    'A field, beta or tool is refused only where this very model has, or may have, another price than the one that is billed. The refusal names it and what the setting `allowed_fields` of a channel lists to let it pass: `{"allowed_fields": ["service_tier", "context-1m", "tools.advisor"]}`. An allowed field is sent and billed at the plain price; other channels of the model are not asked. What stands in `extra_body`, in `generationConfig`, in an entry of a list or in the middle of a conversation counts alike. A parameter override is the operator’s own and is never refused.',
    [
      '- **Tariffs** (`service_tier`, `speed`, `inference_geo`) are billed by the factor in `TariffRatio` that the answer or its header reports; without a report a dearer one counts as requested.',
      '- **Lists of models** (`fallbacks`, `models`) pass where the channel serves each of the models, each has a price, and the key may use it. The dearest is reserved; a dearer model that answers is billed as itself, and one that the answer does not name as the dearest. Elsewhere `models` stays in the gateway, which tries them in order ([fallbacks](fallbacks.md)).',
      '- **Tools** that the provider runs cost what `ToolPrice` says; larger containers cost `container_4g` and so on beside.',
      '- **`context-1m`** counts for models of a family with a dearer long context (Claude Sonnet 4 and 4.5), which need a price by prompt length (`TierRatio`). Where a model has no tier, there is no premium.',
      '- **Fields of other gateways** are left out where a channel reaches the maker itself (`api.openai.com`, `api.anthropic.com`, `generativelanguage.googleapis.com`, Azure), which would refuse them as unknown. At any other address they may choose another model or route:',
    ].join('\n'),
    table(
      ['Field', 'At another address'],
      foreign.map(name => [`\`${name}\``, rule(name)]),
    ),
    'Providers with a price for a search:',
    table(['', 'Field', 'Tool'], providers.flatMap(searchRows)),
    ...formats.flatMap(section),
  ].join('\n\n')}\n`

/** Google takes its fields in both spellings. */
const spellings = (name: string) => [name, name.replace(/_[a-z]/g, part => part[1]!.toUpperCase())]

const known = new Set(formats.flatMap(format => namesOf(format, 'field').map(name => name.split('.').at(-1)!)))
const foreign = Object.keys(tariffFields).filter(name => !spellings(name).some(spelling => known.has(spelling)))

const rule = (name: string): string => `${ruleText(tariffFields[name]!)}${name}\``

const searchRows = ({ label, tariff_fields }: Provider): string[][] =>
  Object.entries(tariff_fields)
    .filter(([, { tool }]) => tool)
    .map(([name, { tool, one_call }]) => [label, `\`${name}\``, `\`${tool}\`${one_call ? ', one for each call' : ''}`])

const section = (format: ClientFormatName): string[] => [
  `## ${names[format]}`,
  ...kinds.filter(kind => namesOf(format, kind).length).flatMap(kind => [`### ${titles[kind]}`, rowsOf(format, kind)]),
]

/** One row for all names with the same outcomes. */
function rowsOf(format: ClientFormatName, kind: Kind): string {
  const rows = new Map<string, string[]>()
  for (const name of namesOf(format, kind)) {
    const outcomes = [nativeOutcome(format, kind, name), acrossOutcome(format, kind, name)].join(' | ')
    rows.set(outcomes, [...(rows.get(outcomes) ?? []), `\`${name}\``])
  }
  const lines = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return table(
    ['Name', 'Own format', 'Other formats'],
    lines.map(([outcomes, all]) => [all.join(', '), outcomes]),
  )
}
