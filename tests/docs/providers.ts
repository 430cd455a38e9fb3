/** The text of docs/providers.md. */
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { isChatUpstream } from '../../src/formats/format.ts'
import type { VideoCapabilities } from '../../src/formats/videos/capabilities.ts'
import { translator } from '../../src/locales/index.ts'
import { type PriceSheet, priceSheets } from '../../src/models/maker-prices.ts'
import {
  familyOf,
  isAvailable,
  type Operation,
  type Provider,
  providerOf,
  providers,
  type TaskOperation,
} from '../../src/providers/index.ts'
import { upstreamWires } from '../formats/wire/upstreams.ts'
import { table } from './table.ts'

const columns: Record<Exclude<Operation, 'chat' | TaskOperation>, string> = {
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

/** A table of their own: few types have any. */
const tasks: Record<TaskOperation, string> = {
  music: 'music',
  lyrics: 'lyrics',
  videos: 'videos',
  drawing_imagine: 'imagine',
  drawing_change: 'change',
  drawing_simple_change: 'simple change',
  drawing_describe: 'describe',
  drawing_blend: 'blend',
  drawing_action: 'buttons',
  drawing_modal: 'modal',
  drawing_shorten: 'shorten',
  drawing_upload: 'upload',
  drawing_swap_face: 'swap face',
  drawing_edits: 'edits',
  drawing_video: 'video',
}

const formats: Record<ClientFormatName, string> = {
  'openai-chat': 'OpenAI',
  'openai-responses': 'Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
}

const [spoken, announced] = [providers.filter(isAvailable), providers.filter(provider => !isAvailable(provider))]

export const providersDocument = (): string =>
  `${[
    '# Providers',
    'The types of a channel. This page is printed by `bun run docs` from the declarations in `src/providers`; a test fails when it is out of date.',
    '## Operations',
    'The first format under Chat is the one that chat requests are sent in; clients of every format are served, see [formats.md](formats.md). If Anthropic stands second, the provider also has a native Anthropic endpoint: requests of Anthropic clients pass unchanged to it, for the models that it has. The last two columns say whether the console can fetch the list of models and the balance.',
    table(['', 'Type', 'Chat', ...Object.values(columns), 'Model list', 'Balance'], spoken.map(row)),
    'Work that ends later is a task:',
    taskTable(),
    'Fields that choose a model, a route or a tariff, and tools that a provider charges apart: [fields.md](fields.md).',
    '## Addresses',
    table(['', 'Type', 'Address', 'Key'], spoken.map(address)),
    'The drawer of a channel offers these addresses beside the provider’s own:',
    table(['', 'Type', 'For', 'Address'], spoken.flatMap(presetRows)),
    '## Closed services',
    'A channel of such a type still works where its key and model are those of the successor; the console changes the type with one click.',
    table(['', 'Type', 'Closed', 'Successor'], spoken.flatMap(closureRow)),
    '## Videos',
    'What a request for a video may say, by model; the first that matches counts. Anything else is refused before it is charged. The usual length, resolution and size stand first, and are sent and priced where a request leaves them open. Fields of `metadata` are passed to the maker if they stand in the last column.',
    videoTable(),
    '## Default prices',
    'Prices of these models are listed by their makers and are the defaults of the price tables; of a price with tiers, the first.',
    table(['Maker', 'Models', 'Page', 'Read'], priceSheets.map(sheetRow)),
    '## Not available yet',
    'These types are listed but cannot be chosen, because their formats are not supported yet.',
    announced.map(({ type, label }) => `${label} (${type})`).join(', '),
    ...adding,
  ].join('\n\n')}\n`

/** The tasks of every type. */
export const taskTable = (): string => table(['', 'Type', 'Tasks'], spoken.flatMap(taskRow))

/** What a request for a video may say, by model. */
export const videoTable = (): string => table(videoColumns, spoken.flatMap(videoRows))

const mark = (has: unknown) => (has ? '✓' : '')

const row = (provider: Provider): string[] => [
  provider.label,
  String(provider.type),
  chatsOf(provider),
  ...Object.keys(columns).map(operation => mark(familyOf(provider).some(({ apis }) => operation in apis))),
  mark(familyOf(provider).some(({ listModels }) => listModels)),
  mark(familyOf(provider).some(({ balance }) => balance)),
]

function taskRow({ label, type, apis }: Provider): string[][] {
  const names = Object.entries(tasks).flatMap(([operation, name]) => (operation in apis ? [name] : []))
  return names.length ? [[label, String(type), names.join(', ')]] : []
}

function chatsOf(provider: Provider): string {
  const chats = familyOf(provider).flatMap(({ apis, anthropic_api }) => [apis.chat, anthropic_api])
  const names = chats.flatMap(api => (api && isChatUpstream(api.format) ? nameOf(api.format.name) : []))
  return [...new Set(names)].join(', ')
}

const nameOf = (format: string): string =>
  (formats as Record<string, string>)[format] ??
  upstreamWires.find(wire => wire.format.name === format)?.title ??
  format

const hostOf = ({ host_by_region, host_by_setting }: Provider['quirks']) =>
  host_by_region ? 'by its region' : host_by_setting ? 'by its routes' : 'set in the channel'

const address = ({ type, label, base_url, key_format, quirks }: Provider): string[] => [
  label,
  String(type),
  base_url ? `\`${base_url}\`` : hostOf(quirks),
  key_format ? `\`${key_format.replaceAll('|', '\\|')}\`` : 'as issued by the provider',
]

const t = translator('en')

const presetRows = ({ label, type, presets = [] }: Provider): string[][] =>
  presets.map(({ kind, base_url }) => [label, String(type), t(`provider.preset_${kind}`), `\`${base_url}\``])

function closureRow({ label, type, ended }: Provider): string[][] {
  if (!ended) return []
  const successor = ended.successor === undefined ? '' : providerOf(ended.successor)!.label
  return [[label, String(type), ended.on ?? 'no date given', successor]]
}

const videoColumns = [
  ...[
    '',
    'Type',
    'Models',
    'Seconds',
    'Resolutions, ratios, sizes',
    'Pictures',
    'Video',
    'Sound',
    'Seed',
    'Negative prompt',
  ],
  'Own fields',
]

const videoRows = ({ label, type, apis }: Provider): string[][] =>
  (apis.videos?.video?.capabilities ?? []).map(able => [
    label,
    String(type),
    able.models,
    secondsOf(able),
    [able.resolutions, able.ratios, able.sizes].flatMap(list => (list ? list.join(' ') : [])).join('; '),
    picturesOf(able),
    able.video ?? '',
    ...[able.sound, able.seed, able.negative_prompt].map(mark),
    (able.own_fields ?? []).map(name => `\`${name}\``).join(', '),
  ])

function secondsOf({ seconds }: VideoCapabilities): string {
  if (!seconds) return 'those of the video'
  return 'min' in seconds ? `${seconds.usual}, ${seconds.min}–${seconds.max}` : seconds.join(', ')
}

const picturesOf = ({ first_frame, last_frame, references }: VideoCapabilities): string =>
  [
    first_frame && (first_frame === 'required' ? 'first frame (required)' : 'first frame'),
    last_frame && 'last frame',
    references && `${references} references`,
  ]
    .filter(Boolean)
    .join(', ')

const sheetRow = ({ maker, page, read, tokens = {}, calls = {} }: PriceSheet): string[] => [
  maker,
  [...Object.keys(tokens), ...Object.keys(calls)].map(model => `\`${model}\``).join(', '),
  page,
  read,
]

const adding = [
  '## Adding a provider',
  'A provider is a declaration: its base URL, how its key authorizes a request, its operations and their formats. It uses no network, no database and no options.',
  [
    '1. **OpenAI-compatible.** Write `src/providers/<name>.ts` with `openAiCompatible({ type, label, base_url, models, apis })` and list it in `src/providers/available.ts`. A declaration with parts is a folder, `src/providers/<name>/index.ts`; `src/providers/kit` has what several share. `apis` names the operations: `standardApis(…)` for those that equal OpenAI’s, and for the others only the differences, such as another path or a rewrite of the request, the response or an event. A rewrite that changes nothing returns the same object.',
    '2. **Another supported format.** Declare its chat operation with that format, as `anthropic.ts` and `gemini/index.ts` do. Add a native Anthropic endpoint if the provider has one beside its own chat.',
    '3. **A format of its own.** Add a folder to `src/formats` that implements `TranslatedUpstream` of `format.ts`, with the types of what it writes in `wire.ts`, and its row in `src/formats/index.ts`; clients of all four chat formats reach it through the canonical form.',
    '4. **Models.** Add known models to `src/models/models.json`, and prices to the default tables if the provider publishes them. `listModels` and `balance` declare the requests that fetch them.',
    '5. **Tests.** `tests/providers/fixtures/<name>/server.ts` describes the provider’s server, as strict as the real one. Beside it stands a file per case: the client’s request, the upstream request, the upstream response, the client’s response and the bill. The test fails while a declared operation has no case.',
    '6. Print this page again with `bun run docs`.',
  ].join('\n'),
]
