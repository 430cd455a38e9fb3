/** Limits of a channel: of all its calls, of each key, and of each model at each key. */

/** Requests and tokens per minute, and calls at the same time; 0 or absent is no limit. */
export interface Limits {
  rpm?: number
  tpm?: number
  concurrency?: number
}

export const measures = ['rpm', 'tpm', 'concurrency'] as const satisfies (keyof Limits)[]
export type Measure = (typeof measures)[number]

export const CHANNEL_LIMIT_MAX = 1_000_000_000
/** Models with limits of their own in one channel. */
export const MODEL_LIMITS_MAX = 200

/** Names of the settings. */
export const limitSettings = ['rpm', 'tpm', 'concurrency', 'key_rpm', 'key_tpm', 'key_concurrency'] as const
export type LimitSetting = (typeof limitSettings)[number]

export const isLimit = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= CHANNEL_LIMIT_MAX

/** Limits by the name of a model at the upstream. */
export type ModelLimits = Record<string, Limits>

export function isModelLimits(value: unknown): value is ModelLimits {
  if (!isObject(value) || Object.keys(value).length > MODEL_LIMITS_MAX) return false
  return Object.values(value).every(
    limits =>
      isObject(limits) &&
      Object.entries(limits).every(([name, limit]) => (measures as readonly string[]).includes(name) && isLimit(limit)),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `gpt-4o rpm=60 tpm=90000 concurrency=5`, a model a line. */
export const writeModelLimits = (limits: ModelLimits): string =>
  Object.entries(limits)
    .map(([model, own]) => [model, ...measures.flatMap(name => (own[name] ? [`${name}=${own[name]}`] : []))].join(' '))
    .join('\n')

/** @returns undefined for a text that is not so written */
export function readModelLimits(text: string): ModelLimits | undefined {
  const limits: [string, Limits][] = []
  for (const line of text.split('\n').map(one => one.trim())) {
    if (!line) continue
    const [model = '', ...parts] = line.split(/\s+/)
    const own = parts.map(part => /^(rpm|tpm|concurrency)=(\d{1,10})$/.exec(part))
    if (!own.length || own.includes(null)) return undefined
    limits.push([model, Object.fromEntries(own.map(found => [found![1], Number(found![2])]))])
  }
  const read = Object.fromEntries(limits)
  return isModelLimits(read) ? read : undefined
}

/** What a limit counts for. */
export type LimitScope = 'channel' | 'key' | 'model'

/** How full one limit of a channel is. */
export interface LimitReading {
  scope: LimitScope
  measure: Measure
  used: number
  limit: number
  /** Masked; absent for the channel. */
  key?: string
  model?: string
}

/** What stops a call at a target: a limit of the channel, or one that its maker reports in headers. */
export interface MetChannelLimit {
  measure: Measure | 'maker'
  scope: LimitScope
  /** Until there may be room. */
  seconds: number
  limit?: number
}
