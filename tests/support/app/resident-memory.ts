/** What another process of this machine takes up. */
import { readFileSync } from 'node:fs'

/** Resident memory of a process, in MB. */
export const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
