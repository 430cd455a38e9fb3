/** URLs of Vertex AI. https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations (read 2026-11) */
import { isObject } from '../../formats/json/checks.ts'
import { entryOf, textOf } from '../../formats/json/lenient-json.ts'
import { parsedOrUndefined } from '../../pure/json.ts'
import { baseUrlOf, modelInPath, withoutVersion } from '../kit/base-url.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { accountOf, isExpress } from './account.ts'

const HOST = 'https://aiplatform.googleapis.com'
const DEFAULT_REGION = 'us-central1'
/** Regions with a host of their own form. */
const multiRegions = new Set(['us', 'eu'])

interface ModelMethod {
  publisher: string
  /** By which the operator chooses a region. */
  model: string
  /** The publisher's own name of the model. */
  id?: string
  method: string
}

/** URL of a model's method; keys of express mode have no project. */
export const methodUrl = (config: UpstreamConfig, { publisher, model, id = model, method }: ModelMethod): string =>
  `${rootOf(config, model, 'v1')}/publishers/${publisher}/models/${segmentOf(id)}:${method}`

/** URL that tells of an operation, in the region that runs it. @param name of the operation */
export function operationUrl(config: UpstreamConfig, name: string): string {
  const [model = ''] = name.split('/operations/')
  const region = /\/locations\/([a-z\d-]+)\//.exec(name)?.[1]
  const own = isExpress(config.key) || !region ? HOST : hostOf(region)
  return `${withoutVersion(baseUrlOf(config, own))}/v1/${modelInPath(model)}:fetchPredictOperation`
}

/** URL of OpenAI's chats, of the models of other makers. */
export const openChatUrl = (config: UpstreamConfig, model: string): string =>
  `${rootOf(config, model, 'v1beta1')}/endpoints/openapi/chat/completions`

function rootOf(config: UpstreamConfig, model: string, version: string): string {
  const region = regionOf(config, model)
  const host = withoutVersion(baseUrlOf(config, isExpress(config.key) ? HOST : hostOf(region)))
  const account = accountOf(config.key)
  if (typeof account === 'string') return `${host}/${version}`
  return `${host}/${version}/projects/${encodeURIComponent(account.project)}/locations/${region}`
}

function hostOf(region: string): string {
  if (region === 'global') return HOST
  if (multiRegions.has(region)) return `https://aiplatform.${region}.rep.googleapis.com`
  return `https://${region}-aiplatform.googleapis.com`
}

/** `other` is a region, or a JSON object of regions by model. */
function regionOf({ other = '' }: UpstreamConfig, model: string): string {
  if (!other.startsWith('{')) return other || DEFAULT_REGION
  const regions = parsedOrUndefined(other)
  if (!isObject(regions)) return DEFAULT_REGION
  return textOf(entryOf(regions, model)) || textOf(regions.default) || DEFAULT_REGION
}

/** Versions stand behind an `@`, which stays as it is. */
const segmentOf = (model: string): string => encodeURIComponent(model).replaceAll('%40', '@')
