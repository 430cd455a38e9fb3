/** The channels of the demo: several providers, a tag, one of each state. All of them call the built-in upstream. */

const openAi = 'gpt-5.5,gpt-5.4,gpt-5.4-mini,gpt-5,gpt-5-mini,gpt-4.1,gpt-4o,gpt-4o-mini,o3,o4-mini'
const claude = 'claude-opus-4-8,claude-sonnet-4-6,claude-haiku-4-5'

const drawings =
  'mj_imagine,mj_upscale,mj_variation,mj_reroll,mj_describe,mj_blend,mj_shorten,mj_zoom,mj_pan,mj_modal,mj_inpaint'
const makers = 'default,vip,premium'

export interface DemoChannel {
  name: string
  type: number
  /** What each of its keys begins with. */
  key: string
  keys?: number
  models: string
  group: string
  priority: number
  weight: number
  tag?: string
  other?: string
  /** JSON. */
  setting?: string
  /** Of each key, in the currency of the provider. */
  balance?: number
  /** Its upstream refuses the key, every call because of a rate limit, or some streams. */
  fault?: 'key' | 'limit' | 'overload'
  isDisabled?: boolean
  /** Until its first token. */
  latency_ms?: number
  /** Of the calls of the month: 0 where attempts alone are counted, absent for channels without them. */
  share?: number
}

export const demoChannels: DemoChannel[] = [
  {
    ...{
      name: 'openai-main',
      latency_ms: 740,
      type: 1,
      key: 'sk-demo-main',
      keys: 5,
      models: openAi,
      balance: 428,
      share: 30,
    },
    ...{ group: 'default,batch,vip', priority: 10, weight: 100 },
  },
  {
    ...{
      name: 'anthropic-eu',
      latency_ms: 920,
      type: 14,
      key: 'sk-ant-demo-eu',
      keys: 4,
      models: claude,
      tag: 'anthropic',
      share: 22,
      setting: '{"rpm":300,"tpm":6000000,"concurrency":60,"key_concurrency":20}',
    },
    ...{ group: 'default,vip', priority: 10, weight: 60 },
  },
  {
    ...{
      name: 'anthropic-us',
      fault: 'overload',
      latency_ms: 1920,
      type: 14,
      key: 'sk-ant-demo-us',
      models: claude,
      tag: 'anthropic',
      share: 12,
    },
    ...{ group: 'default,premium', priority: 10, weight: 40 },
  },
  {
    ...{ name: 'anthropic-trial', type: 14, key: 'sk-ant-demo-trial', models: claude, tag: 'anthropic', fault: 'key' },
    ...{ group: 'default', priority: 0, weight: 5, share: 0 },
  },
  {
    ...{ name: 'azure-sweden', type: 3, key: 'demo-azure', models: 'gpt-4.1,gpt-4o,gpt-4o-mini', fault: 'limit' },
    ...{ group: 'default', priority: 5, weight: 30, other: '2024-12-01-preview', share: 8 },
  },
  {
    ...{
      name: 'gemini',
      latency_ms: 1100,
      type: 24,
      key: 'demo-gemini',
      models: 'gemini-2.5-pro,gemini-2.0-flash',
      share: 10,
    },
    ...{ group: 'default,batch', priority: 6, weight: 50 },
  },
  {
    ...{
      name: 'openrouter',
      latency_ms: 610,
      type: 20,
      key: 'sk-or-demo',
      models: 'gpt-4o,gpt-5.4-mini',
      balance: 88.4,
      share: 6,
    },
    ...{ group: 'premium,vip', priority: 8, weight: 100 },
  },
  {
    ...{
      name: 'deepseek',
      latency_ms: 2440,
      type: 43,
      key: 'sk-demo-deepseek',
      models: 'deepseek-chat,deepseek-reasoner',
    },
    ...{ group: 'batch', priority: 4, weight: 20, balance: 310.55, share: 12 },
  },
  {
    ...{ name: 'mirror-fra', latency_ms: 480, type: 1, key: 'sk-demo-mirror', models: 'gpt-4o,gpt-4o-mini', share: 8 },
    ...{ group: 'vip,premium', priority: 8, weight: 60, balance: 612.08 },
  },
  {
    ...{ name: 'xai-exclusive', type: 48, key: 'xai-demo', models: 'grok-4,grok-3-mini', isDisabled: true },
    ...{ group: 'lab', priority: 0, weight: 0 },
  },
  {
    name: 'drawings',
    type: 5,
    key: 'demo-drawings',
    models: drawings,
    ...{ group: makers, priority: 5, weight: 10, share: 0 },
  },
  {
    ...{ name: 'songs', type: 36, key: 'demo-songs', models: 'suno_music,suno_lyrics' },
    ...{ group: makers, priority: 5, weight: 10, share: 0 },
  },
  {
    ...{ name: 'films', type: 55, key: 'demo-films', models: 'sora-2,sora-2-pro' },
    ...{ group: makers, priority: 5, weight: 10, share: 0 },
  },
]
