/**
 * All metrics in Prometheus' text format 0.0.4.
 * https://prometheus.io/docs/instrumenting/exposition_formats/ (read 2026-11)
 */
import { log, reason } from '../log.ts'
import { allMetrics, type Metric, type Sample } from './registry.ts'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** What takes longer is left out, so that the rest comes while the database hangs. */
const READ_TIMEOUT_MS = 3000

export const exposition = async (): Promise<string> => (await Promise.all(allMetrics().map(textOf))).join('')

async function textOf(metric: Metric): Promise<string> {
  const { name, help, type } = metric
  try {
    const lines = Array.from(await withinTime(metric), sample => lineOf(name, sample))
    return lines.length ? `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}` : ''
  } catch (error) {
    log.warn('metric not read', { name, reason: reason(error) })
    return ''
  }
}

function withinTime(metric: Metric) {
  const samples = metric.samples()
  if (!(samples instanceof Promise)) return samples
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('timeout')), READ_TIMEOUT_MS)
  return Promise.race([samples, promise]).finally(() => clearTimeout(timer))
}

const lineOf = (name: string, { suffix, labels, value }: Sample) =>
  `${name}${suffix}${labels && `{${labels}}`} ${value}\n`
