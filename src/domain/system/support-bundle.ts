/** The support bundle: what the diagnostics page shows, options without secrets, and the metrics. No key and no content is in it. */
import type { Diagnostics } from '../../contracts/diagnostics.ts'
import { now } from '../../process/clock.ts'
import { exposition } from '../../process/metrics/exposition.ts'
import { exportOptions } from '../options/index.ts'
import { diagnostics } from './diagnostics.ts'
import { systemInfo } from './info.ts'

interface SupportBundle {
  /** Unix seconds. */
  made_time: number
  system: Awaited<ReturnType<typeof systemInfo>>
  diagnostics: Omit<Diagnostics, 'queue'>
  options: Record<string, string>
  /** As Prometheus reads them. */
  metrics: string[]
}

export async function supportBundle(): Promise<SupportBundle> {
  const [system, { queue: _queue, ...facts }, metrics] = await Promise.all([systemInfo(), diagnostics(), exposition()])
  return {
    made_time: now(),
    system,
    diagnostics: facts,
    options: exportOptions().options,
    metrics: metrics.split('\n').filter(line => line && !line.startsWith('#')),
  }
}
