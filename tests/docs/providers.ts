/** The text of docs/providers.md. */
import type { FormatName } from '../../src/formats/canonical/chat.ts'
import { isAvailable, type Operation, type Provider, providers } from '../../src/providers/index.ts'
import { table } from './table.ts'

const columns: Record<Exclude<Operation, 'chat'>, string> = {
  completions: 'Completions',
  responses: 'Responses',
  embeddings: 'Embeddings',
  image_generations: 'Images',
  image_edits: 'Image edits',
  image_variations: 'Image variations',
  speech: 'Speech',
  transcriptions: 'Transcription',
  translations: 'Translation',
  moderations: 'Moderation',
  rerank: 'Rerank',
  realtime: 'Realtime',
}

const formats: Record<FormatName, string> = {
  'openai-chat': 'OpenAI',
  'openai-responses': 'Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
}

const [spoken, announced] = [providers.filter(isAvailable), providers.filter(provider => !isAvailable(provider))]

export const providersDocument = (): string =>
  `${[
    '# Providers',
    'The types that a channel can have. This page is printed by `bun run docs` from the declarations in `src/providers`; a test fails when it is behind.',
    '## What each offers',
    'Chats are asked for in the format that stands first; callers of every format are served, see [formats.md](formats.md). Where Anthropic stands second, the provider also has an address for Anthropic’s clients: their calls pass untouched, for the models that are there. Lists of models and balances are what the console can ask for.',
    table(['', 'Type', 'Chats', ...Object.values(columns), 'Lists models', 'Tells the balance'], spoken.map(row)),
    '## Where each is',
    table(['', 'Type', 'Address', 'Key'], spoken.map(address)),
    '## Known by name only',
    'They stand in the list of types, and can be chosen once their formats are spoken here.',
    announced.map(({ type, label }) => `${label} (${type})`).join(', '),
    ...adding,
  ].join('\n\n')}\n`

const mark = (has: unknown) => (has ? '✓' : '')

const row = (provider: Provider): string[] => [
  provider.label,
  String(provider.type),
  chatsOf(provider),
  ...Object.keys(columns).map(operation => mark(operation in provider.apis)),
  mark(provider.listModels),
  mark(provider.balance),
]

const chatsOf = ({ apis, anthropic_api }: Provider): string =>
  [apis.chat, anthropic_api].flatMap(said => (said?.format.dialect ? formats[said.format.dialect.name] : [])).join(', ')

const address = ({ type, label, base_url, key_format }: Provider): string[] => [
  label,
  String(type),
  base_url ? `\`${base_url}\`` : 'the channel says it',
  key_format ? `\`${key_format.replaceAll('|', '\\|')}\`` : 'as the provider gives it',
]

const adding = [
  '## How one is added',
  'A provider is a declaration: where it is, how its key opens it, what it speaks. It never dials, and knows no database and no options.',
  [
    '1. **It speaks OpenAI’s formats.** Write `src/providers/<name>.ts` with `openAiCompatible({ type, label, base_url, models, offers })` and put it into `src/providers/index.ts`, in the place of its `announced` line. `offers` names its operations; `plainly(…)` for those that are just as OpenAI has them, and for the others only what differs: `path`, `root`, `fitRequest` (the request as it takes it), `fitAnswer` and `fitEvent` (what it answers, as OpenAI says it), `fitFile` (a file that comes wrapped). `fitError` tells its errors, whatever was asked for. The small steps that these are made of are in `fit.ts`; what needs no change comes back as the very same object.',
    '2. **It speaks another format that is known here.** Declare `speaks` with that codec, as `anthropic.ts` and `gemini.ts` do. If it has Anthropic’s messages beside its own chats, add `mirror: anthropicAt(…)`.',
    '3. **It speaks a format of its own.** Make a folder in `src/codecs` with the upstream half of `codec.ts`; for chats also a dialect, so that callers of all four formats reach it. The declaration stays as short as the others.',
    '4. **Models** that it is known to have go into `models.json`, their prices into the default tables where the maker’s own page tells them. `listModels` and `balance` say what to ask and how to read it.',
    '5. **Prove it.** `tests/providers/<name>.test.ts` describes its server, as strict as the real one, and `tests/providers/fixtures/<name>` holds a file for each case: what a caller asks, what must be sent, what is answered, what the caller is told and billed. The test fails while anything that is declared is not played.',
    '6. Print this page again.',
  ].join('\n'),
]
