/** A stand-in for new-api: it takes its own keys and three formats, answers by the case that a call names, and keeps a log. */
import { now } from '../../../src/process/clock.ts'
import type { Row } from '../moving-in/schemas.ts'
import { answerIn, type Counts, type Format } from './answers.ts'

export interface Person {
  id: number
  username: string
  group: string
  key: string
}

export const GROUP_RATIOS: Record<string, number> = { default: 1, vip: 2 }
/** Model ratio and completion ratio; the last one is free. */
export const MODELS: Record<string, [number, number]> = {
  'gpt-4o-mini': [1.5, 4],
  'claude-3-5-haiku-20241022': [0.5, 5],
  'gemini-2.0-flash': [0.25, 3],
  'free-model': [0, 1],
}
export const CACHE_RATIO = 0.5

/** What is different about a call. */
export const CASES = [
  ...([
    'equal',
    'cached',
    'reasoning',
    'usage',
    'model_ratio',
    'group_ratio',
    'completion_ratio',
    'cache_ratio',
  ] as const),
  ...(['rounding', 'unlogged', 'refused', 'broken', 'free_there', 'both'] as const),
] as const
/** A failure that is charged, and a stream that does not show its usage. */
export type Case = (typeof CASES)[number] | 'charged' | 'silent'

export interface Asked {
  format: Format
  model: string
  stream: boolean
  name: Case
}

/** Quota as a correct gateway computes it, rounded once. */
export const fairQuota = (
  counts: Counts,
  [model, completion]: [number, number],
  group: number,
  cache = CACHE_RATIO,
) => {
  const tokens = counts.prompt - counts.cached + counts.cached * cache + counts.completion * completion
  return Math.round(tokens * model * group) || (model && group ? 1 : 0)
}

/** Tokens of the call with this number. */
export const countsOf = (number: number, name: Case): Counts => ({
  prompt: 100 + (number % 37) * 2,
  completion: 20 + (number % 23) * 2,
  cached: name === 'cached' || name === 'cache_ratio' ? 40 : 0,
  reasoning: name === 'reasoning' ? 8 : 0,
})

/** What has no price in the shadow, by its path: it continues a task of the old gateway. */
export const UNREAD: Record<string, { model: string; body: object }> = {
  '/v1/videos/video_1/remix': { model: 'sora-2', body: { id: 'video_2', object: 'video', status: 'queued' } },
}
export const UNREAD_QUOTA = 3000

export interface OldGateway {
  url: string
  logs: Row[]
  /** Requests as they came. */
  journal: { method: string; target: string; headers: Headers; body: string; address: string | null }[]
  stop(): void
}

/** @param people who may call */
export function oldGateway(people: readonly Person[]): OldGateway {
  const logs: Row[] = []
  const journal: OldGateway['journal'] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const { method, headers } = request
      const came = await request.bytes()
      const body = Buffer.from(headers.get('content-encoding') === 'gzip' ? Bun.gunzipSync(came) : came).toString()
      journal.push({
        method,
        target: url.pathname + url.search,
        headers,
        body,
        address: headers.get('x-forwarded-for'),
      })
      const asked = askedIn(url, body)
      const sent =
        headers.get('authorization')?.replace('Bearer ', '') ??
        headers.get('x-api-key') ??
        headers.get('x-goog-api-key')
      const person = people.find(({ key }) => sent === `sk-${key}`)
      if (!person) return Response.json({ error: { message: 'no such key', type: 'new_api_error' } }, { status: 401 })
      if (method !== 'POST') return Response.json({ at: url.pathname, method }, { headers: { 'x-of-theirs': 'yes' } })
      const unread = UNREAD[url.pathname]
      if (unread) return answerUnread(unread, person)
      if (!asked) return Response.json({ error: { message: 'not a call', type: 'new_api_error' } }, { status: 404 })
      if (asked.name === 'refused')
        return Response.json({ error: { message: 'too many', type: 'new_api_error' } }, { status: 429 })
      const number = numberIn(body)
      const request_id = `2026${crypto.randomUUID().slice(0, 20)}`
      const row = { number, ...logOf(number, asked, person) }
      const kept = () =>
        asked.name !== 'unlogged' && logs.push({ id: logs.length + 1, created_at: now(), request_id, ...row })
      if (asked.name === 'charged') {
        kept()
        return Response.json(
          { error: { message: 'failed', type: 'new_api_error' } },
          { status: 500, headers: { 'x-oneapi-request-id': request_id } },
        )
      }
      return answerIn(asked, countsOf(number, asked.name), { request_id, kept })
    },
  })
  function answerUnread({ model, body }: (typeof UNREAD)[string], person: Person) {
    const { id: user_id, username, group } = person
    const request_id = `2026${crypto.randomUUID().slice(0, 20)}`
    const row = { user_id, username, group, token_name: 'key', type: 2, model_name: model, content: '', other: '{}' }
    const counts = { quota: UNREAD_QUOTA, prompt_tokens: 0, completion_tokens: 0, is_stream: false, channel_id: 1 }
    logs.push({ id: logs.length + 1, created_at: now(), request_id, ...row, ...counts })
    return Response.json(body, { headers: { 'x-oneapi-request-id': request_id } })
  }

  return { url: `http://127.0.0.1:${server.port}`, logs, journal, stop: () => void server.stop(true) }
}

/** What a body asks for; undefined where it is none of the three formats. */
function askedIn({ pathname, searchParams }: URL, text: string): Asked | undefined {
  const name = (/case:(\w+)/.exec(text)?.[1] ?? 'equal') as Case
  const gemini = /^\/v1beta\/models\/(.+):(streamG|g)enerateContent$/.exec(pathname)
  if (gemini) {
    const stream = gemini[2] === 'streamG'
    if (stream && searchParams.get('alt') !== 'sse') return undefined
    return { format: 'gemini', model: gemini[1]!, stream, name }
  }
  const format = ({ '/v1/chat/completions': 'openai', '/v1/messages': 'anthropic' } as const)[pathname]
  if (!format) return undefined
  const { model, stream = false } = JSON.parse(text)
  return { format, model, stream, name }
}

export const numberIn = (text: string) => Number(/number:(\d+)/.exec(text)?.[1] ?? 0)

/** The entry that new-api would write, with what is wrong about it. */
function logOf(number: number, { format, model, stream, name }: Asked, person: Person): Row {
  const counts = { ...countsOf(number, name) }
  let [model_ratio, completion_ratio] = MODELS[model] ?? [1, 1]
  let group_ratio = GROUP_RATIOS[person.group]!
  let cache_ratio = CACHE_RATIO
  if (name === 'cached') counts.cached = 0
  if (name === 'reasoning') counts.completion += counts.reasoning
  if (name === 'usage' || name === 'both') counts.prompt += 10
  if (name === 'model_ratio' || name === 'both') model_ratio *= 2
  if (name === 'completion_ratio') completion_ratio += 1
  if (name === 'group_ratio') group_ratio += 1
  if (name === 'cache_ratio') cache_ratio = 1
  if (name === 'free_there') model_ratio = 0
  const quota = fairQuota(counts, [model_ratio, completion_ratio], group_ratio, cache_ratio)
  const claude = format === 'anthropic'
  return {
    ...{ user_id: person.id, username: person.username, token_name: 'key', type: 2, model_name: model, content: '' },
    // Of Claude's calls the prompt is counted without the cache.
    ...{ prompt_tokens: counts.prompt - (claude ? counts.cached : 0), completion_tokens: counts.completion },
    ...{ quota: quota + (name === 'rounding' ? 1 : 0), is_stream: stream, channel_id: 1, group: person.group },
    other: JSON.stringify({
      ...{ model_ratio, group_ratio, completion_ratio, cache_tokens: counts.cached, cache_ratio, model_price: -1 },
      ...(claude && { claude: true, cache_creation_tokens: 0, cache_creation_ratio: 1.25 }),
    }),
  }
}
