/**
 * Providers that serve OpenAI's operations in OpenAI's formats: a declaration names what deviates.
 * https://platform.openai.com/docs/api-reference (read 2026-11)
 */
import type { UpstreamFormat } from '../../formats/format.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import { openAiCompletions } from '../../formats/openai-completions/index.ts'
import { openAiEmbeddings } from '../../formats/openai-embeddings/index.ts'
import { imageEdits, imageGenerations, imageVariations } from '../../formats/openai-images/index.ts'
import { openAiModerations } from '../../formats/openai-moderations/index.ts'
import { openAiRealtime } from '../../formats/openai-realtime/index.ts'
import { openAiResponses } from '../../formats/openai-responses/index.ts'
import { openAiSpeech } from '../../formats/openai-speech/index.ts'
import { openAiTranscriptions } from '../../formats/openai-transcriptions/index.ts'
import { rerank } from '../../formats/rerank/index.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf, withoutVersion, withVersion } from './base-url.ts'
import { inRequestedEncoding } from './embeddings.ts'
import { withSystemRole } from './json-edits.ts'
import { type DirectOperation, type Provider, provider, type UpstreamApi } from './provider.ts'
import type { Quirks } from './quirks.ts'
import { type TariffFields, tariffFields } from './tariff-fields.ts'
import type { UpstreamConfig } from './upstream-config.ts'
import { idsIn, upstreamGet } from './upstream-query.ts'
import { type VideoUpstream, videoApi } from './video-api.ts'

/** How one operation deviates from OpenAI's. */
export interface ApiDeclaration extends Quirks {
  /** Below the root; OpenAI's unless declared. */
  path?: string | ((model: string, config: UpstreamConfig) => string)
  /** Another root than the provider's. */
  root?: string
  headers?: UpstreamApi['headers']
}

type ApiDeclarations = Partial<Record<DirectOperation, ApiDeclaration>>

interface Declaration extends Pick<Provider, 'type' | 'label'>, Partial<Omit<Provider, 'type' | 'label' | 'apis'>> {
  /** The provider accepts the role `developer`; otherwise it becomes `system`. */
  developer_role?: boolean
  /** Below the base URL, above all paths; `/v1` unless declared. */
  root?: string
  apis: ApiDeclarations
  /** How it makes videos. */
  videos?: VideoUpstream
  /** An error in OpenAI's form, for every operation. @returns the same body when it is no error */
  rewriteError?(body: Json): Json
  /** The whole URL, when it is not base URL, root and path. */
  url?(base: string, path: string, model: string, config: UpstreamConfig): string
}

/** Operations that do not deviate. */
export const standardApis = (...names: DirectOperation[]): ApiDeclarations =>
  Object.fromEntries(names.map(operation => [operation, {}]))

export function openAiCompatible(declaration: Declaration): Provider {
  const { root = '/v1', developer_role, apis, videos, rewriteError, url, ...declared } = declaration
  const join = url ?? ((base, path) => withVersion(base, root) + path)

  function apiOf(operation: DirectOperation, { path = paths[operation], root: ownRoot, ...quirks }: ApiDeclaration) {
    const api: UpstreamApi = {
      ...{ format: formats[operation], ...usualQuirks[operation], ...quirks },
      url(config, model) {
        const base = baseUrlOf(config, declared.base_url)
        const ownPath = typeof path === 'string' ? path : path(model, config)
        return ownRoot ? withoutVersion(base) + ownRoot + ownPath : join(base, ownPath, model, config)
      },
    }
    const withRoles = operation === 'chat' && !developer_role ? rewritingRoles(api) : api
    return rewriteError ? rewritingErrors(withRoles, rewriteError) : withRoles
  }

  return provider({
    key_format: 'sk-…',
    stream_usage: true,
    authorize: bearer,
    apis: {
      ...Object.fromEntries(Object.entries(apis).map(([name, api]) => [name, apiOf(name as DirectOperation, api)])),
      ...(videos && { videos: videoApi(videos) }),
    },
    listModels: upstreamGet(config => join(baseUrlOf(config, declared.base_url), '/models', '', config), idsIn),
    ...declared,
  })
}

const rewritingRoles = ({ rewriteRequest = same, ...api }: UpstreamApi): UpstreamApi => ({
  ...api,
  rewriteRequest: (body, config) => rewriteRequest(withSystemRole(body), config),
})

function rewritingErrors(
  { rewriteResponse = same, ...api }: UpstreamApi,
  rewriteError: (body: Json) => Json,
): UpstreamApi {
  return {
    ...api,
    rewriteResponse(body, request) {
      const rewritten = rewriteError(body)
      return rewritten === body ? rewriteResponse(body, request) : rewritten
    },
  }
}

const same = (body: Json) => body

export function bearer({ key, openai_organization }: UpstreamConfig): Record<string, string> {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  if (openai_organization) headers['openai-organization'] = openai_organization
  return headers
}

const formats: Record<DirectOperation, UpstreamFormat> = {
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

/** OpenAI's chat models search once for each call and report nothing of it. */
export const openAiTariffFields: TariffFields = {
  ...tariffFields,
  web_search_options: { tool: 'web_search_preview', one_call: true },
}

/** Fields of OpenAI's own API that have tariffs, at OpenAI and at Azure. */
export const OPENAI_FIELDS = ['service_tier', 'web_search_options'] as const

/** Many providers return vectors as numbers, whatever encoding the request names. */
const usualQuirks: Partial<Record<DirectOperation, Quirks>> = { embeddings: { rewriteResponse: inRequestedEncoding } }

/** Below the root. A realtime session has no body: its URL names the model. */
const paths: Record<DirectOperation, NonNullable<ApiDeclaration['path']>> = {
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

export const operations = Object.keys(paths) as DirectOperation[]
