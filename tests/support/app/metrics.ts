/** Reads /metrics as strictly as Prometheus does, and looks values up. */
import { setEnv } from '../env.ts'
import { app } from './app.ts'

export const METRICS_TOKEN = 'a token of sixteen letters'

export type Series = Map<string, number>

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`
const sample = new RegExp(
  `^(${name})(?:\\{(${label}(?:,${label})*)\\})? (NaN|[+-]Inf|-?\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?)$`,
)
const heads = new RegExp(`^# (HELP|TYPE) (${name}) (.+)$`)
const suffixes: Record<string, string[]> = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] }

/** @returns numbers by series, as `tollgate_nodes` and `tollgate_x{a="b"}`. @throws at the first line that is wrong */
export function parseMetrics(text: string): Series {
  const series: Series = new Map()
  const seen = new Set<string>()
  let family = { name: '', type: '' }
  for (const line of text.slice(0, -1).split('\n')) {
    const head = heads.exec(line)
    if (head) {
      const [, kind, of = '', words = ''] = head
      if (kind === 'HELP') {
        if (seen.has(of)) throw new Error(`${of} has two places`)
        seen.add(of)
        family = { name: of, type: '' }
      } else {
        if (of !== family.name || !suffixes[words]) throw new Error(`unexpected: ${line}`)
        family.type = words
      }
      continue
    }
    const [, of = '', labels = '', value = ''] = sample.exec(line) ?? []
    if (!suffixes[family.type]?.some(suffix => family.name + suffix === of)) throw new Error(`unexpected: ${line}`)
    const key = labels ? `${of}{${labels}}` : of
    if (series.has(key)) throw new Error(`twice: ${line}`)
    series.set(key, Number(value.replace('Inf', 'Infinity')))
  }
  checkHistograms(series)
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  return series
}

/** Buckets grow, and the last one is the count. */
function checkHistograms(series: Series) {
  let last = { labels: '', total: 0 }
  for (const [key, value] of series) {
    const [, of, before = '', bound] = /^(\w+)_bucket\{(.*?),?le="([^"]+)"\}$/.exec(key) ?? []
    if (!of) continue
    const labels = `${of} ${before}`
    if (labels === last.labels && value < last.total) throw new Error(`${key} is less than the bucket before`)
    last = { labels, total: value }
    const count = series.get(before ? `${of}_count{${before}}` : `${of}_count`)
    if (bound === '+Inf' && count !== value) throw new Error(`${key} is not the count`)
  }
}

export async function metricsText(): Promise<string> {
  const restore = setEnv({ METRICS_TOKEN })
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const response = await app.handle(new Request('http://localhost/metrics', { headers }))
  restore()
  if (response.status !== 200) throw new Error(`/metrics has status ${response.status}`)
  return response.text()
}

export const readMetrics = async (): Promise<Series> => parseMetrics(await metricsText())

/** What has been counted since, without what has stayed. */
export function grownSince(before: Series, now: Series): Record<string, number> {
  const grown = [...now].map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const)
  return Object.fromEntries(grown.filter(([, more]) => more !== 0))
}

/** Values of a label in all series. */
export const valuesOf = (series: Series, label: string): Set<string> =>
  new Set(Array.from(series.keys(), key => new RegExp(`[{,]${label}="((?:[^"\\\\]|\\\\.)*)"`).exec(key)?.[1] ?? ''))
