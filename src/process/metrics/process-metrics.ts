/** Metrics of the process itself. */
import { readdirSync } from 'node:fs'
import { VERSION } from '../../pure/version.ts'
import { now_ms } from '../clock.ts'
import { loopLag_ms } from '../load-shedding.ts'
import { gauge, gauges } from './gauge.ts'

const MS_PER_SECOND = 1000
const US_PER_SECOND = 1_000_000

gauges('tollgate_build_info', 'Version of Tollgate and of Bun; always 1.', ['version', 'bun'], () => [
  [[VERSION, Bun.version], 1],
])
gauge('tollgate_loop_lag_seconds', 'How late the event loop was at the last look, 20 a second.', () => {
  return loopLag_ms() / MS_PER_SECOND
})
gauge('tollgate_process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
gauge('tollgate_process_cpu_seconds_total', 'CPU time of user and system.', cpuSeconds, 'counter')
gauge('tollgate_process_start_time_seconds', 'Start of the process, in Unix seconds.', () => {
  return Math.round(now_ms() / MS_PER_SECOND - process.uptime())
})
gauge('tollgate_process_open_fds', 'Open file descriptors; on Linux alone.', openFiles)

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / US_PER_SECOND
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}
