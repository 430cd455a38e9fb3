/**
 * AWS Bedrock: Claude by InvokeModel in Anthropic's format, other models by Converse.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/welcome.html and
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html (read 2026-11)
 */
import { anthropic as messages } from '../../formats/anthropic/index.ts'
import { errorOf, readError } from '../../formats/bedrock/api-error.ts'
import { bedrock as converse } from '../../formats/bedrock/index.ts'
import { openAiEmbeddings } from '../../formats/openai-embeddings/index.ts'
import { imageGenerations } from '../../formats/openai-images/index.ts'
import { bedrockIdOf, isClaude } from '../../models/bedrock-ids.ts'
import type { Json } from '../../pure/json.ts'
import { cloudHeaders } from '../kit/anthropic-headers.ts'
import { baseUrlOf } from '../kit/base-url.ts'
import { each, without } from '../kit/json-edits.ts'
import { type Provider, provider, type UnsignedRequest } from '../kit/provider.ts'
import type { Quirks } from '../kit/quirks.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { fieldOf, namesIn, pagesFrom } from '../kit/upstream-query.ts'
import { type AwsCredentials, awsSignature, uriEncoded } from '../signing/sigv4.ts'
import { inputsMax, readEmbeddings, readImages, writeEmbeddingRequest, writeImageRequest } from './media.ts'

interface BedrockKey {
  region: string
  /** Sent as it is. */
  api_key?: string
  credentials?: AwsCredentials
}

/** `AccessKey|SecretKey|Region`, `AccessKey|SecretKey|Region|SessionToken` or `ApiKey|Region`. */
function keyOf(key: string): BedrockKey {
  const [first = '', second = '', region = '', session_token] = key.split('|')
  if (!region) return { region: second, api_key: first }
  return { region, credentials: { access_key: first, secret: second, session_token } }
}

const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/

type Service = 'bedrock' | 'bedrock-runtime'

function serviceRoot(service: Service, region: string): string {
  return `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/** The two services have a host of AWS each; another base URL serves both. */
function rootOf(config: UpstreamConfig, service: Service): string {
  const base = baseUrlOf(config)
  if (!base) return serviceRoot(service, keyOf(config.key).region)
  return isAws(base) ? base.replace(/^https:\/\/bedrock(?:-runtime)?(?=\.|-fips\.)/, `https://${service}`) : base
}

const modelUrl = (config: UpstreamConfig, model: string, action: string) => {
  const id = bedrockIdOf(model, keyOf(config.key).region)
  return `${rootOf(config, 'bedrock-runtime')}/model/${uriEncoded(id)}/${action}`
}

function authorize({ key }: UpstreamConfig): Record<string, string> {
  const { api_key } = keyOf(key)
  return api_key ? { authorization: `Bearer ${api_key}` } : {}
}

function sign(request: UnsignedRequest, config: UpstreamConfig): Record<string, string> {
  const { credentials, region } = keyOf(config.key)
  if (!credentials) return {}
  const url = signedUrl(request.url, config, region)
  return awsSignature({ ...request, url }, credentials, { region, service: 'bedrock', at_ms: config.at_ms ?? 0 })
}

const isAws = (base: string): boolean => /\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/.test(URL.parse(base)?.hostname ?? '')

/** A proxy passes a request on to the service's own host, for which it is signed. */
function signedUrl(url: string, config: UpstreamConfig, region: string): string {
  const base = baseUrlOf(config)
  if (!base || isAws(base)) return url
  const path = url.slice(base.length)
  return serviceRoot(path.startsWith('/model/') ? 'bedrock-runtime' : 'bedrock', region) + path
}

const access: Pick<Provider, 'type' | 'label' | 'key_format' | 'quirks' | 'keyFlaw' | 'authorize' | 'sign'> = {
  type: 33,
  label: 'AWS Bedrock',
  key_format: 'AccessKey|SecretKey|Region',
  quirks: { host_by_region: true, key_hint: 'bedrock', key_parts: [3, 4, 2], probe: { model: 'nova-micro' } },
  keyFlaw: key => (REGION.test(keyOf(key).region) ? undefined : 'key_region'),
  authorize,
  sign,
}

const errors: Quirks = { error_type_header: 'x-amzn-errortype' }
const frames: Quirks = { framing: 'aws_event_stream' }

const ANTHROPIC_VERSION = 'bedrock-2023-05-31'

/** Claude speaks Anthropic's format; its body names neither the model nor the stream. */
const claude = provider({
  ...access,
  apis: {
    chat: {
      format: messages,
      // https://docs.anthropic.com/en/api/claude-on-amazon-bedrock (read 2026-11)
      hosted: () => [],
      url: (config, model, streamed) => modelUrl(config, model, streamed ? 'invoke-with-response-stream' : 'invoke'),
      rewriteRequest: writeInvoke,
      absorbHeaders: withHeaders,
      rewriteResponse: withAnthropicError,
      writeException: writeAnthropicException,
      fetches_no_urls: true,
      ...errors,
      ...frames,
    },
  },
})

export const bedrock = provider({
  ...access,
  apis: {
    chat: {
      format: converse,
      url: (config, model, streamed) => modelUrl(config, model, streamed ? 'converse-stream' : 'converse'),
      rewriteRequest: body => without(body, 'model', 'stream'),
      writeException: exception => ({ error: exception }),
      ...errors,
      ...frames,
    },
    embeddings: {
      format: { ...openAiEmbeddings, readError },
      url: (config, model) => modelUrl(config, model, 'invoke'),
      inputs_max: inputsMax,
      rewriteRequest: writeEmbeddingRequest,
      rewriteResponse: readEmbeddings,
      ...errors,
    },
    image_generations: {
      format: { ...imageGenerations, readError },
      url: (config, model) => modelUrl(config, model, 'invoke'),
      rewriteRequest: writeImageRequest,
      rewriteResponse: readImages,
      ...errors,
    },
  },
  variants: [claude],
  variant: ({ operation, model }) =>
    (operation === 'chat' || operation === 'responses') && isClaude(model) ? claude : undefined,
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListFoundationModels.html and
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListInferenceProfiles.html (read 2026-11)
  *listModels(config) {
    const root = rootOf(config, 'bedrock')
    const own = onDemand(yield `${root}/foundation-models`)
    if (!own) return undefined
    const url = `${root}/inference-profiles?maxResults=${PAGE_MAX}`
    const profiles = yield* pagesFrom(url, profilesIn, body => {
      const next = fieldOf(body, 'nextToken')
      return typeof next === 'string' && next ? `${url}&nextToken=${uriEncoded(next)}` : undefined
    })
    return [...own, ...(profiles ?? [])]
  },
})

const PAGE_MAX = 1000

const profilesIn = namesIn('inferenceProfileSummaries', 'inferenceProfileId')

/** The others are called by a profile, or by throughput that is bought. */
function onDemand(body: unknown): string[] | undefined {
  const models = fieldOf(body, 'modelSummaries')
  if (!Array.isArray(models)) return undefined
  const callable = models.filter(model => {
    const types = fieldOf(model, 'inferenceTypesSupported')
    return !Array.isArray(types) || types.includes('ON_DEMAND')
  })
  return namesIn('', 'modelId')(callable)
}

/** Bedrock refuses fields of Anthropic's own service. */
function writeInvoke(body: Json): Json {
  const known = without(body, 'model', 'stream', 'service_tier')
  const rest = each(known, 'tools', tool => without(tool, 'eager_input_streaming'))
  return { anthropic_version: ANTHROPIC_VERSION, ...rest }
}

function withHeaders(body: Json, own: Record<string, string>, client: Record<string, string>) {
  const { version, betas } = cloudHeaders(own, client)
  const versioned = version ? { ...body, anthropic_version: version } : body
  return { body: withBetas(versioned, betas), headers: {} }
}

function withBetas(body: Json, betas: string[]): Json {
  const own = Array.isArray(body.anthropic_beta) ? body.anthropic_beta : []
  const all = [...new Set([...own, ...betas])]
  return all.length ? { ...body, anthropic_beta: all } : body
}

function withAnthropicError(body: Json): Json {
  const error = 'content' in body ? undefined : readError(body)
  return error ? { type: 'error', error: { type: error.type, message: error.message, code: error.code } } : body
}

/** The code is the status: Anthropic has no type for each of them. */
function writeAnthropicException({ type, message }: { type: string; message: string }): Json {
  const error = errorOf(type, message)
  return { type: 'error', error: { type: error.type, message, code: error.status } }
}
