/** OpenAI, and whoever speaks its formats. */
import type { UpstreamFormat } from '../formats/format.ts'
import { openAiChat } from '../formats/openai-chat/index.ts'
import { openAiCompletions } from '../formats/openai-completions/index.ts'
import { openAiEmbeddings } from '../formats/openai-embeddings/index.ts'
import { imageEdits, imageGenerations, imageVariations } from '../formats/openai-images/index.ts'
import { openAiModerations } from '../formats/openai-moderations/index.ts'
import { openAiRealtime } from '../formats/openai-realtime/index.ts'
import { openAiResponses } from '../formats/openai-responses/index.ts'
import { openAiSpeech } from '../formats/openai-speech/index.ts'
import { openAiTranscriptions } from '../formats/openai-transcriptions/index.ts'
import { rerank } from '../formats/rerank/index.ts'
import type { Json } from '../pure/json.ts'
import { above, baseOf, under } from './base-url.ts'
import { asAsked } from './embeddings.ts'
import { withoutDevelopers } from './json-edits.ts'
import type { Operation, Provider, Quirks, UpstreamApi, UpstreamConfig } from './provider.ts'
import { idsIn, upstreamGet } from './upstream-query.ts'

const formats: Record<Operation, UpstreamFormat> = {
  chat: openAiChat,
  responses: openAiResponses,
  completions: openAiCompletions,
  embeddings: openAiEmbeddings,
  image_generations: imageGenerations,
  image_edits: imageEdits,
  image_variations: imageVariations,
  speech: openAiSpeech,
  transcriptions: openAiTranscriptions,
  translations: openAiTranscriptions,
  moderations: openAiModerations,
  rerank,
  realtime: openAiRealtime,
}

/** Where whoever speaks a format differs from those who made it. */
const usual: Partial<Record<Operation, Quirks>> = { embeddings: { rewriteResponse: asAsked } }

/** Below the version. A session names its model in its address: it has no body. */
const paths: Record<Operation, NonNullable<Offer['path']>> = {
  chat: '/chat/completions',
  responses: '/responses',
  completions: '/completions',
  embeddings: '/embeddings',
  image_generations: '/images/generations',
  image_edits: '/images/edits',
  image_variations: '/images/variations',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
  moderations: '/moderations',
  rerank: '/rerank',
  realtime: model => `/realtime?model=${encodeURIComponent(model)}`,
}

/** How an operation is otherwise than at OpenAI. */
export interface Offer extends Quirks {
  /** Where its path begins, where that is not where the others begin. */
  root?: string
  path?: string | ((model: string, line: UpstreamConfig) => string)
}

/** An operation that is just as OpenAI has it. */
export const plain: Offer = {}

/** These operations as OpenAI has them. */
export const plainly = (...operations: Operation[]): Offers =>
  Object.fromEntries(operations.map(operation => [operation, plain]))

export type Offers = Partial<Record<Operation, Offer>>

interface Declared
  extends Pick<Provider, 'type' | 'label' | 'models'>,
    Partial<Omit<Provider, 'type' | 'label' | 'models' | 'speaks'>> {
  /** Whether the role of developer means anything there. */
  knows_developers?: boolean
  /** Where paths begin below the address; `/v1` unless it is said. */
  root?: string
  offers: Offers
  /** An error in its own words as OpenAI says it, whatever was asked for; what is none comes back as it is. */
  fitError?(answer: Json): Json
  /** The whole address, where it is not an address, a root and a path. */
  address?(base: string, path: string, model: string, line: UpstreamConfig): string
}

/** A provider of OpenAI's operations, in OpenAI's formats. */
export function openAiCompatible(declaration: Declared): Provider {
  const { root = '/v1', knows_developers, offers, fitError, address, ...declared } = declaration
  const join = address ?? ((base, path) => under(base, root) + path)

  const spoken = (operation: Operation, { path = paths[operation], root: begins, ...habits }: Offer): UpstreamApi => {
    const url = (line: UpstreamConfig, model: string) => {
      const base = baseOf(line, declared.base_url)
      const at = typeof path === 'string' ? path : path(model, line)
      return begins ? above(base) + begins + at : join(base, at, model, line)
    }
    const chats = operation === 'chat' && !knows_developers
    const own = { ...usual[operation], ...(chats ? toSystem(habits) : habits) }
    return { format: formats[operation], url, ...(fitError ? telling(fitError, own) : own) }
  }

  return {
    base_url: '',
    key_format: 'sk-…',
    many_keys: true,
    stream_usage: true,
    authorize: bearer,
    apis: Object.fromEntries(Object.entries(offers).map(([name, offer]) => [name, spoken(name as Operation, offer)])),
    listModels: upstreamGet(line => join(baseOf(line, declared.base_url), '/models', '', line), idsIn),
    ...declared,
  }
}

/** Who knows no developers is told all by the system. */
const toSystem = ({ rewriteRequest = same, ...habits }: Quirks): Quirks => ({
  ...habits,
  rewriteRequest: (body, line) => rewriteRequest(withoutDevelopers(body), line),
})

/** An error is told before anything else is read of an answer. */
const telling = (fitError: (answer: Json) => Json, { rewriteResponse = same, ...habits }: Quirks): Quirks => ({
  ...habits,
  rewriteResponse(answer, asked) {
    const told = fitError(answer)
    return told === answer ? rewriteResponse(answer, asked) : told
  },
})

const same = (body: Json) => body

export function bearer({ key, openai_organization }: UpstreamConfig): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  if (openai_organization) headers['openai-organization'] = openai_organization
  return headers
}

/** All that the format has a word for: gateways of many kinds stand behind OpenAI's address. */
export const everything = plainly(...(Object.keys(paths) as Operation[]))

const { responses: _, ...classics } = everything

const CHATS = /\/chat\/completions$/

/** A provider whose channels give the whole address, `{model}` in it standing for the model. */
export const verbatim = (declared: Omit<Declared, 'offers'>): Provider =>
  openAiCompatible({
    offers: classics,
    knows_developers: true,
    address: (_base, _path, model, line) => line.base_url.replaceAll('{model}', encodeURI(model)),
    *listModels({ base_url }) {
      return CHATS.test(base_url) ? idsIn(yield base_url.replace(CHATS, '/models')) : undefined
    },
    ...declared,
  })
