/**
 * Names of models at Bedrock, and the regions of their inference profiles.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html and
 * https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html (read 2026-11)
 */

/** Prefix of an inference profile: the geography within which it routes. */
type Geography = 'us' | 'us-gov' | 'eu' | 'apac' | 'jp' | 'au' | 'global'

interface BedrockModel {
  id: string
  /** Geographies of its profiles; none for a model that is called by its id alone. */
  profiles: readonly Geography[]
}

const claude = (id: string, ...profiles: Geography[]): BedrockModel => ({ id: `anthropic.${id}`, profiles })
const model = (id: string, ...profiles: Geography[]): BedrockModel => ({ id, profiles })
const everywhere = ['us', 'eu', 'jp', 'au', 'global'] as const

/** By the gateway's name. Any other name, such as a full id or an ARN, is sent as it is. */
const models = new Map<string, BedrockModel>(
  Object.entries({
    'claude-instant-1.2': claude('claude-instant-v1'),
    'claude-2.0': claude('claude-v2'),
    'claude-2.1': claude('claude-v2:1'),
    'claude-3-haiku-20240307': claude('claude-3-haiku-20240307-v1:0', 'us', 'eu', 'apac'),
    'claude-3-sonnet-20240229': claude('claude-3-sonnet-20240229-v1:0', 'us', 'eu', 'apac'),
    'claude-3-opus-20240229': claude('claude-3-opus-20240229-v1:0', 'us'),
    'claude-3-5-sonnet-20240620': claude('claude-3-5-sonnet-20240620-v1:0', 'us', 'us-gov', 'eu', 'apac'),
    'claude-3-5-sonnet-20241022': claude('claude-3-5-sonnet-20241022-v2:0', 'us', 'apac'),
    'claude-3-5-haiku-20241022': claude('claude-3-5-haiku-20241022-v1:0', 'us'),
    'claude-3-7-sonnet-20250219': claude('claude-3-7-sonnet-20250219-v1:0', 'us', 'us-gov', 'eu', 'apac'),
    'claude-sonnet-4-20250514': claude('claude-sonnet-4-20250514-v1:0', 'us', 'eu', 'apac', 'global'),
    'claude-opus-4-20250514': claude('claude-opus-4-20250514-v1:0', 'us'),
    'claude-opus-4-1-20250805': claude('claude-opus-4-1-20250805-v1:0', 'us'),
    'claude-sonnet-4-5-20250929': claude('claude-sonnet-4-5-20250929-v1:0', 'us-gov', ...everywhere),
    'claude-haiku-4-5-20251001': claude('claude-haiku-4-5-20251001-v1:0', ...everywhere),
    'claude-opus-4-5-20251101': claude('claude-opus-4-5-20251101-v1:0', ...everywhere),
    'claude-opus-4-6': claude('claude-opus-4-6-v1', ...everywhere),
    'claude-sonnet-4-6': claude('claude-sonnet-4-6', ...everywhere),
    'claude-opus-4-7': claude('claude-opus-4-7', ...everywhere),
    'claude-opus-4-8': claude('claude-opus-4-8', ...everywhere),
    'claude-sonnet-5': claude('claude-sonnet-5', ...everywhere),
    'claude-opus-5': claude('claude-opus-5', ...everywhere),
    'claude-fable-5': claude('claude-fable-5', ...everywhere),
    'nova-micro': model('amazon.nova-micro-v1:0', 'us', 'eu', 'apac'),
    'nova-lite': model('amazon.nova-lite-v1:0', 'us', 'eu', 'apac'),
    'nova-pro': model('amazon.nova-pro-v1:0', 'us', 'eu', 'apac'),
    'nova-premier': model('amazon.nova-premier-v1:0', 'us'),
    'nova-2-lite': model('amazon.nova-2-lite-v1:0', 'us', 'eu', 'jp', 'global'),
    'nova-canvas': model('amazon.nova-canvas-v1:0'),
    'llama-3-8b-instruct': model('meta.llama3-8b-instruct-v1:0'),
    'llama-3-70b-instruct': model('meta.llama3-70b-instruct-v1:0'),
    'llama-3.1-8b-instruct': model('meta.llama3-1-8b-instruct-v1:0', 'us'),
    'llama-3.1-70b-instruct': model('meta.llama3-1-70b-instruct-v1:0', 'us'),
    'llama-3.2-1b-instruct': model('meta.llama3-2-1b-instruct-v1:0', 'us', 'eu'),
    'llama-3.2-3b-instruct': model('meta.llama3-2-3b-instruct-v1:0', 'us', 'eu'),
    'llama-3.2-11b-instruct': model('meta.llama3-2-11b-instruct-v1:0', 'us'),
    'llama-3.2-90b-instruct': model('meta.llama3-2-90b-instruct-v1:0', 'us'),
    'llama-3.3-70b-instruct': model('meta.llama3-3-70b-instruct-v1:0', 'us'),
    'llama-4-scout': model('meta.llama4-scout-17b-instruct-v1:0', 'us'),
    'llama-4-maverick': model('meta.llama4-maverick-17b-instruct-v1:0', 'us'),
    'mistral-large-2402': model('mistral.mistral-large-2402-v1:0'),
    'mistral-large-2407': model('mistral.mistral-large-2407-v1:0'),
    'mistral-small-2402': model('mistral.mistral-small-2402-v1:0'),
    'pixtral-large-2502': model('mistral.pixtral-large-2502-v1:0', 'us', 'eu'),
    'deepseek-r1': model('deepseek.r1-v1:0', 'us'),
    'deepseek-v3.1': model('deepseek.v3-v1:0'),
    'gpt-oss-20b': model('openai.gpt-oss-20b-1:0'),
    'gpt-oss-120b': model('openai.gpt-oss-120b-1:0'),
    'titan-embed-text-v1': model('amazon.titan-embed-text-v1'),
    'titan-embed-text-v2': model('amazon.titan-embed-text-v2:0'),
    'embed-english-v3': model('cohere.embed-english-v3'),
    'embed-multilingual-v3': model('cohere.embed-multilingual-v3'),
    'embed-v4': model('cohere.embed-v4:0', 'us', 'eu', 'global'),
  }),
)

/** Names without the date, or with `latest` in its place. */
const aliases = new Map(
  Object.entries({
    'claude-3-5-sonnet': 'claude-3-5-sonnet-20241022',
    'claude-3-5-haiku': 'claude-3-5-haiku-20241022',
    'claude-3-7-sonnet': 'claude-3-7-sonnet-20250219',
    'claude-3-opus': 'claude-3-opus-20240229',
    'claude-sonnet-4': 'claude-sonnet-4-20250514',
    'claude-sonnet-4-0': 'claude-sonnet-4-20250514',
    'claude-opus-4': 'claude-opus-4-20250514',
    'claude-opus-4-0': 'claude-opus-4-20250514',
    'claude-opus-4-1': 'claude-opus-4-1-20250805',
    'claude-sonnet-4-5': 'claude-sonnet-4-5-20250929',
    'claude-haiku-4-5': 'claude-haiku-4-5-20251001',
    'claude-opus-4-5': 'claude-opus-4-5-20251101',
  }),
)

/** Asian regions with a geography of their own; the others are `apac`. */
const asian = new Map<string, Geography>(
  Object.entries({
    'ap-northeast-1': 'jp',
    'ap-northeast-3': 'jp',
    'ap-southeast-2': 'au',
    'ap-southeast-4': 'au',
  } as const),
)

/** The id under which a model is called from a region: that of its profile there, where it has one. */
export function bedrockIdOf(name: string, region: string): string {
  const base = name.replace(/-latest$/, '')
  const found = models.get(aliases.get(base) ?? base)
  if (!found) return name
  const geography = geographiesOf(region).find(own => found.profiles.includes(own))
  return geography ? `${geography}.${found.id}` : found.id
}

/** The nearest first. */
function geographiesOf(region: string): Geography[] {
  if (region.startsWith('us-gov-')) return ['us-gov']
  const [continent] = region.split('-')
  if (continent === 'us' || continent === 'eu') return [continent, 'global']
  return continent === 'ap' ? [asian.get(region) ?? 'apac', 'apac', 'global'] : ['global']
}

/** Whether the model is Anthropic's, by any of its names; the name of an application's own profile does not tell. */
export const isClaude = (name: string): boolean => /claude|anthropic/i.test(name)
