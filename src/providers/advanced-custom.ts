/**
 * Upstreams that an operator describes: rows of operation, address, format, place of the key, and models. The bodies
 * are those of the formats: https://platform.openai.com/docs/api-reference, https://docs.anthropic.com/en/api/messages
 * and https://ai.google.dev/api (read 2026-11)
 */
import {
  type CustomEndpoint,
  type CustomFormat,
  customEndpointsFlaw,
  customEndpointsIn,
  customOperations,
  hasFormats,
  MODEL_PLACE,
  servesModel,
} from '../contracts/custom-endpoints.ts'
import { chatFormats } from '../formats/index.ts'
import { modelsOf } from '../models/models.ts'
import type { Json } from '../pure/json.ts'
import { ANTHROPIC_VERSION } from './kit/anthropic-headers.ts'
import { modelInPath } from './kit/base-url.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'
import { type ApiChoice, type Operation, type Provider, provider } from './kit/provider.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'

const identity = { type: 58, label: 'Advanced custom' }

/** Each operation at an address of its own, for the documentation. */
const examples: readonly CustomEndpoint[] = customOperations.map(operation => ({
  operation,
  url: 'https://upstream.example/',
  key_in: 'bearer',
}))

export const advancedCustom = provider({
  ...identity,
  models: modelsOf(1),
  quirks: { settings: ['routes'], host_by_setting: true, optional_key: true, probe: { model: 'gpt-4o-mini' } },
  variants: examples.map(declare),
  variant: choice => declarationFor(choice),
  settingFlaw: ({ routes }) => customEndpointsFlaw(routes),
  settingOrigins: setting => [...new Set(customEndpointsIn(setting).map(({ url }) => new URL(originOf(url)).origin))],
})

const originOf = (url: string) => url.replaceAll(MODEL_PLACE, 'm')

interface DeclaredEndpoint {
  endpoint: CustomEndpoint
  declared: Provider
}

/** By the setting of a channel, which stays the same object until the channel is saved. */
const declarations = new WeakMap<Json, DeclaredEndpoint[]>()

function declaredIn(setting: Json): DeclaredEndpoint[] {
  const known =
    declarations.get(setting) ?? customEndpointsIn(setting).map(endpoint => ({ endpoint, declared: declare(endpoint) }))
  declarations.set(setting, known)
  return known
}

/** The first row in the client's own format, else the first that fits. Responses become chats where no row serves them. */
function declarationFor({ operation, model, client, config }: ApiChoice): Provider | undefined {
  const rows = declaredIn(config.setting ?? {}).filter(({ endpoint }) => servesModel(endpoint, model))
  const serving = (wanted: Operation) => rows.filter(({ endpoint }) => endpoint.operation === wanted)
  const own = serving(operation)
  const fitting = own.length || operation !== 'responses' ? own : serving('chat')
  return (fitting.find(({ endpoint }) => formatOf(endpoint) === client?.name) ?? fitting[0])?.declared
}

function formatOf({ operation, format }: CustomEndpoint): CustomFormat {
  return format ?? (operation === 'responses' ? 'openai-responses' : 'openai-chat')
}

function declare(endpoint: CustomEndpoint): Provider {
  const authorize = (config: UpstreamConfig) => keyHeader(endpoint, config)
  const url = (config: UpstreamConfig, model: string, streamed = false) => urlOf(endpoint, config, model, streamed)
  if (!hasFormats(endpoint.operation)) {
    return openAiCompatible({
      ...identity,
      authorize,
      stream_usage: 'wanted',
      apis: { [endpoint.operation]: {} },
      url: (_base, _path, model, config) => url(config, model),
      listModels: undefined,
    })
  }
  const format = formatOf(endpoint)
  const headers = format === 'anthropic' ? { 'anthropic-version': ANTHROPIC_VERSION } : undefined
  return provider({
    ...identity,
    authorize,
    apis: { [endpoint.operation]: { format: chatFormats[format], url, headers } },
  })
}

function keyHeader({ key_in, key_name = '' }: CustomEndpoint, { key }: UpstreamConfig): Record<string, string> {
  if (!key) return {}
  if (key_in === 'bearer') return { authorization: `Bearer ${key}` }
  return key_in === 'header' ? { [key_name.toLowerCase()]: key } : {}
}

function urlOf(endpoint: CustomEndpoint, { key }: UpstreamConfig, model: string, streamed: boolean): string {
  const { key_in, key_name = '' } = endpoint
  const url = new URL(endpoint.url.replaceAll(MODEL_PLACE, () => modelInPath(model)))
  if (streamed && formatOf(endpoint) === 'gemini') {
    url.pathname = url.pathname.replace(/:generateContent$/, ':streamGenerateContent')
    url.searchParams.set('alt', 'sse')
  }
  if (key_in === 'query' && key) url.searchParams.set(key_name, key)
  return url.href
}
