/** iFlytek Spark, over a WebSocket for each call. https://www.xfyun.cn/doc/spark/Web.html (read 2026-11) */
import { isObject } from '../../formats/json/checks.ts'
import { objectOf, objectsOf } from '../../formats/json/lenient-json.ts'
import { spark as format } from '../../formats/spark/index.ts'
import { isLastFrame } from '../../formats/spark/read-stream.ts'
import type { Json } from '../../pure/json.ts'
import { type ApiChoice, provider } from '../kit/provider.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { signedUrl } from '../signing/signed-url.ts'
import { sparkHttp } from './http.ts'
import { socketUrl, sparkVersionOf, withSystemAsUser } from './versions.ts'

export const spark = provider({
  type: 18,
  label: 'iFlytek Spark',
  base_url: 'wss://spark-api.xf-yun.com',
  key_format: 'APPID|APISecret|APIKey',
  quirks: {
    key_hint: 'spark',
    default_other: 'v2.1',
    other: { meaning: 'model_version', example: 'v2.1' },
    // With one part: the APIPassword of the HTTP API.
    key_parts: [3, 1],
    probe: { model: 'lite' },
  },
  apis: {
    chat: {
      format,
      url,
      rewriteRequest,
      socket: { isLast: isLastFrame },
      streams_only: () => true,
    },
  },
  variants: [sparkHttp],
  variant: choice => (goesOverHttp(choice) ? sparkHttp : undefined),
})

/** A key of one part is of the HTTP API, and functions exist there alone; fine-tuned models have none. */
const goesOverHttp = ({ config, model, body }: ApiChoice): boolean =>
  !config.key.includes('|') || (hasTools(body) && !sparkVersionOf(model, config).patch_id)

/** In the format of any client. */
const hasTools = (body: Json | undefined): boolean =>
  [body?.tools, body?.functions].some(tools => Array.isArray(tools) && tools.length > 0)

function url(config: UpstreamConfig, model: string): string {
  const [, api_secret = '', api_key = ''] = config.key.split('|')
  return signedUrl(socketUrl(config, model), { api_key, api_secret }, config.at_ms ?? 0)
}

/** The app, and the domain of the model in place of its name. */
function rewriteRequest(body: Json, config: UpstreamConfig): Json {
  const { header, parameter, payload } = body
  const chat = objectOf(objectOf(parameter).chat)
  const { domain, patch_id, takes_system } = sparkVersionOf(String(chat.domain), config)
  const [app_id] = config.key.split('|')
  const message = isObject(payload) ? objectOf(payload.message) : {}
  const text = takes_system ? message.text : withSystemAsUser(objectsOf(message.text))
  return {
    ...body,
    header: { app_id, ...objectOf(header), ...(patch_id && { patch_id: [patch_id] }) },
    parameter: { ...objectOf(parameter), chat: { ...chat, domain } },
    payload: { ...objectOf(payload), message: { ...message, text } },
  }
}
