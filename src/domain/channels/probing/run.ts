/** Progress and results of the latest run over many channels, readable on every node. */
import { isJobRunning } from '../../../cluster/leases.ts'
import { SharedRecord } from '../../../cluster/shared-record.ts'
import { Refusal } from '../../../contracts/refusal.ts'
import type { StoredMessage } from '../../../locales/index.ts'
import { now } from '../../../process/clock.ts'

export const runKinds = ['test', 'balance'] as const
export type RunKind = (typeof runKinds)[number]

/** The job of each run. */
const jobNames = { test: 'test-channels', balance: 'refresh-balances' } as const

export interface RunResult {
  id: number
  name: string
  /** Seconds of a passed test, or the balance in the provider's currency. */
  value?: number
  failure?: StoredMessage
}

interface RunRecord {
  started_time: number
  /** Channels of the run. */
  total: number
  /** In the order in which the channels were done. */
  results: RunResult[]
}

export interface ChannelRun extends RunRecord {
  is_running: boolean
}

const records = new SharedRecord<RunRecord>('channel-run')

/** Begins the record of a run in place of the one before. */
export function startRun(kind: RunKind, total: number) {
  const record: RunRecord = { started_time: now(), total, results: [] }
  records.set(kind, record)
  return {
    add(result: RunResult) {
      record.results.push(result)
      records.set(kind, record)
    },
    end: () => records.flush(),
  }
}

/** @returns undefined when there was no run within a day */
export async function runOf(kind: RunKind): Promise<ChannelRun | undefined> {
  // In this order: a run that ends between the two reads is complete in the second.
  const is_running = await isJobRunning(jobNames[kind])
  const record = await records.get(kind)
  return record && { ...record, is_running }
}

/** What the list of results says of an error. */
export const failureIn = (error: unknown): StoredMessage =>
  error instanceof Refusal
    ? { key: error.code, params: error.params as StoredMessage['params'] }
    : { key: 'error.internal' }
