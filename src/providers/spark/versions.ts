/** Addresses and domains of Spark's models. https://www.xfyun.cn/doc/spark/Web.html (read 2026-11) */
import { entryOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'
import { baseUrlOf } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'

const SOCKET_HOST = 'spark-api.xf-yun.com'
const HTTP_HOST = 'spark-api-open.xf-yun.com'
/** https://www.xfyun.cn/doc/spark/精调服务API-websocket.html (read 2026-11) */
const TUNED_HOST = 'maas-api.cn-huabei-1.xf-yun.com'
const TUNED_PATH = '/v1.1/chat'
const DEFAULT_VERSION = 'v1.1'

interface SparkVersion {
  /** Path of the WebSocket. */
  path: string
  /** The model's name in requests. */
  domain: string
  /** Another host than the usual one, where the channel names none. */
  host?: string
  /** Messages may have the role `system`. */
  takes_system?: boolean
  /** The reasoning models have an HTTP address of their own. */
  http_version?: '/v2'
  /** Id of a fine-tuned model. */
  patch_id?: string
}

const versions: Record<string, SparkVersion> = {
  'v1.1': { path: '/v1.1/chat', domain: 'lite', takes_system: true },
  'v2.1': { path: '/v2.1/chat', domain: 'generalv2' },
  'v3.1': { path: '/v3.1/chat', domain: 'generalv3' },
  'v3.1-128K': { path: '/chat/pro-128k', domain: 'pro-128k', takes_system: true },
  'v3.5': { path: '/v3.5/chat', domain: 'generalv3.5', takes_system: true },
  'v3.5-32K': { path: '/chat/max-32k', domain: 'max-32k', takes_system: true },
  'v4.0': { path: '/v4.0/chat', domain: '4.0Ultra', takes_system: true },
  x1: { path: '/v1/x1', domain: 'x1', takes_system: true, http_version: '/v2' },
  'x1.5': { path: '/v1/x1', domain: 'spark-x', takes_system: true, http_version: '/v2' },
  kjwx: { path: '/v1.1/chat_kjwx', domain: 'kjwx', host: 'spark-openapi-n.cn-huabei-1.xf-yun.com', takes_system: true },
}

/** `SparkDesk-v3.5`, `SparkDesk?v3.5` and `SparkDesk?api-version=v3.5` name a version. */
const versionInName = /^[^-?]+(?:-|\?(?:api-version=)?)(v\d[\w.-]*|x1(?:\.5)?)$/i

/**
 * The version that a model's name names, else that of the channel's `other`.
 * @param model name of a domain, of a version, or `serviceId@resourceId` of a fine-tuned model
 */
export function sparkVersionOf(
  model: string,
  { other, base_url }: Pick<UpstreamConfig, 'other' | 'base_url'>,
): SparkVersion {
  const [domain = '', patch_id] = model.split('@')
  if (patch_id || base_url.includes('//maas-api.'))
    return { path: TUNED_PATH, domain, host: TUNED_HOST, takes_system: true, patch_id }
  const [, named] = versionInName.exec(model) ?? []
  return byDomain(model) ?? versionNamed(named || other || DEFAULT_VERSION)
}

const byDomain = (name: string): SparkVersion | undefined =>
  Object.values(versions).find(({ domain }) => domain === name)

const versionNamed = (name: string): SparkVersion =>
  entryOf(versions, name) ?? byDomain(name) ?? { path: `/${name}/chat`, domain: `general${name}`, takes_system: true }

/** Where a base URL ends that was copied with the address of one model. */
const copiedPath = /\/(?:v[\d.]+(?:\/(?:chat\w*|x1|chat\/completions))?|chat\/[\w-]+)$/

/** Without the path of one model. @param own host where the channel names none */
const baseOf = (config: UpstreamConfig, own: string): string =>
  baseUrlOf(config, `wss://${own}`).replace(copiedPath, '')

/** Address of the WebSocket, not signed. A base URL of the HTTP API leads to the host beside it. */
export function socketUrl(config: UpstreamConfig, model: string): string {
  const { path, host = SOCKET_HOST } = sparkVersionOf(model, config)
  return baseOf(config, host).replace(/^http/, 'ws').replace(HTTP_HOST, SOCKET_HOST) + path
}

/** Address of chats over HTTP. */
export function httpUrl(config: UpstreamConfig, model: string): string {
  const { http_version = '/v1', host = HTTP_HOST } = sparkVersionOf(model, config)
  const base = baseOf(config, host).replace(/^ws/, 'http').replace(`//${SOCKET_HOST}`, `//${HTTP_HOST}`)
  return `${base}${http_version}/chat/completions`
}

/** For versions without the role `system`: a user's message, which the assistant has answered. */
export const withSystemAsUser = (messages: Json[]): Json[] =>
  messages.flatMap(message =>
    message.role === 'system'
      ? [
          { ...message, role: 'user' },
          { role: 'assistant', content: 'Okay' },
        ]
      : [message],
  )
