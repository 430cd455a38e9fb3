/**
 * Upstreams that an operator describes: rows of operation, address, format, place of the key, and models. The bodies
 * are those of the formats: https://platform.openai.com/docs/api-reference, https://docs.anthropic.com/en/api/messages
 * and https://ai.google.dev/api (read 2026-11)
 */
import {
  type CustomRoute,
  hasFormats,
  MODEL_PLACE,
  type RouteFormat,
  routeOperations,
  routesFlaw,
  routesIn,
  servesModel,
} from '../contracts/custom-routes.ts'
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
const examples: readonly CustomRoute[] = routeOperations.map(operation => ({
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
  settingFlaw: ({ routes }) => routesFlaw(routes),
  settingOrigins: setting => [...new Set(routesIn(setting).map(({ url }) => new URL(originOf(url)).origin))],
})

const originOf = (url: string) => url.replaceAll(MODEL_PLACE, 'm')

interface DeclaredRoute {
  route: CustomRoute
  declared: Provider
}

/** By the setting of a channel, which stays the same object until the channel is saved. */
const declarations = new WeakMap<Json, DeclaredRoute[]>()

function declaredIn(setting: Json): DeclaredRoute[] {
  const known = declarations.get(setting) ?? routesIn(setting).map(route => ({ route, declared: declare(route) }))
  declarations.set(setting, known)
  return known
}

/** The first row in the client's own format, else the first that fits. Responses become chats where no row serves them. */
function declarationFor({ operation, model, client, config }: ApiChoice): Provider | undefined {
  const rows = declaredIn(config.setting ?? {}).filter(({ route }) => servesModel(route, model))
  const serving = (wanted: Operation) => rows.filter(({ route }) => route.operation === wanted)
  const own = serving(operation)
  const fitting = own.length || operation !== 'responses' ? own : serving('chat')
  return (fitting.find(({ route }) => formatOf(route) === client?.name) ?? fitting[0])?.declared
}

function formatOf({ operation, format }: CustomRoute): RouteFormat {
  return format ?? (operation === 'responses' ? 'openai-responses' : 'openai-chat')
}

function declare(route: CustomRoute): Provider {
  const authorize = (config: UpstreamConfig) => keyHeader(route, config)
  const url = (config: UpstreamConfig, model: string, streamed = false) => urlOf(route, config, model, streamed)
  if (!hasFormats(route.operation)) {
    return openAiCompatible({
      ...identity,
      authorize,
      stream_usage: false,
      apis: { [route.operation]: {} },
      url: (_base, _path, model, config) => url(config, model),
      listModels: undefined,
    })
  }
  const format = formatOf(route)
  const headers = format === 'anthropic' ? { 'anthropic-version': ANTHROPIC_VERSION } : undefined
  return provider({
    ...identity,
    authorize,
    apis: { [route.operation]: { format: chatFormats[format], url, headers } },
  })
}

function keyHeader({ key_in, key_name = '' }: CustomRoute, { key }: UpstreamConfig): Record<string, string> {
  if (!key) return {}
  if (key_in === 'bearer') return { authorization: `Bearer ${key}` }
  return key_in === 'header' ? { [key_name.toLowerCase()]: key } : {}
}

function urlOf(route: CustomRoute, { key }: UpstreamConfig, model: string, streamed: boolean): string {
  const { key_in, key_name = '' } = route
  const url = new URL(route.url.replaceAll(MODEL_PLACE, () => modelInPath(model)))
  if (streamed && formatOf(route) === 'gemini') {
    url.pathname = url.pathname.replace(/:generateContent$/, ':streamGenerateContent')
    url.searchParams.set('alt', 'sse')
  }
  if (key_in === 'query' && key) url.searchParams.set(key_name, key)
  return url.href
}
