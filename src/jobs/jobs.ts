/** Every periodic job: what it does, how often, and on which nodes. */
import { pruneChanges, readChanges } from '../cluster/changes.ts'
import { pruneIdempotencyKeys } from '../cluster/idempotency.ts'
import { describeNode } from '../cluster/joining.ts'
import type { LeasedRun } from '../cluster/leases.ts'
import { keepLimits } from '../cluster/limits-outage.ts'
import { HEARTBEAT_SECONDS } from '../cluster/node.ts'
import { flushBuffers } from '../cluster/write-behind.ts'
import { pruneBackground, stopEndedElsewhere } from '../domain/background-responses/index.ts'
import { keepDump, lookAtBackup, TEST_BACKUP, testBackup, testEvery_seconds } from '../domain/backups/index.ts'
import { pruneBudgets } from '../domain/budgets/index.ts'
import { REFRESH_BALANCES, refreshBalances, TEST_CHANNELS, testAllAsRoot } from '../domain/channels/index.ts'
import { CLEAR_LOGS, clearLogs } from '../domain/logs/index.ts'
import { sendMails } from '../domain/mail/index.ts'
import { reportClosedChannels, reportStoppedBackup, sendWebhooks } from '../domain/notices/index.ts'
import { option } from '../domain/options/index.ts'
import { expireOrders } from '../domain/payments/index.ts'
import { pruneChannelHours } from '../domain/routing/index.ts'
import { pruneShadow } from '../domain/shadow/index.ts'
import { pruneStoredItems, pruneStoredObjects } from '../domain/stored-objects/index.ts'
import { expireResults, lookAfterTasks, pruneTasks, saveResults, sendTaskHooks } from '../domain/tasks/index.ts'
import { rollUpUsage } from '../domain/usage/index.ts'
import { keepReservations, pruneSettlements } from '../domain/wallet/index.ts'

interface Schedule {
  name: string
  /** Seconds between two starts; 0 pauses the job. May read an option. */
  every: number | (() => number)
}

/** `cluster`: one node runs it, under a lease. `node`: every node runs it for itself, until the process stops. */
export type Job = Schedule &
  ({ scope: 'cluster'; run: LeasedRun } | { scope: 'node'; run(signal: AbortSignal): Promise<void> })

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const minutes = (name: 'ChannelTestIntervalMinutes' | 'ChannelBalanceIntervalMinutes') => () => option(name) * MINUTE

export const jobs: readonly Job[] = [
  // Looks for Redis, renews the leases of running calls and adds what Redis does not have of limits.
  { name: 'keep-limits', scope: 'node', every: 1, run: keepLimits },
  // Tests every channel that is enabled or auto-disabled.
  { name: TEST_CHANNELS, scope: 'cluster', every: minutes('ChannelTestIntervalMinutes'), run: testAllAsRoot },
  // Reads the balance of every channel whose provider reports one.
  { name: REFRESH_BALANCES, scope: 'cluster', every: minutes('ChannelBalanceIntervalMinutes'), run: refreshBalances },
  // All three send what waits for another attempt, or what a stopped node has left.
  { name: 'send-mails', scope: 'cluster', every: 30, run: sendMails },
  { name: 'send-webhooks', scope: 'cluster', every: 30, run: sendWebhooks },
  { name: 'send-task-hooks', scope: 'cluster', every: 30, run: sendTaskHooks },
  // Sends administrators one message for each wave of channels that have closed themselves.
  { name: 'report-closed-channels', scope: 'cluster', every: MINUTE, run: reportClosedChannels },
  // Forgets what other nodes have changed, also where the message of Redis is lost.
  { name: 'read-changes', scope: 'node', every: 1, run: readChanges },
  // Deletes changes that every node has read.
  { name: 'prune-changes', scope: 'cluster', every: HOUR, run: pruneChanges },
  // Writes buffered updates: last use of tokens, outcomes of channels.
  { name: 'flush-buffers', scope: 'node', every: 1, run: flushBuffers },
  // Sends the heartbeat of this node and frees the reservations of dead ones.
  { name: 'keep-reservations', scope: 'node', every: HEARTBEAT_SECONDS, run: keepReservations },
  // Says how far this node's clock is off, and says all again where its row was deleted while it stood still.
  { name: 'describe-node', scope: 'node', every: MINUTE, run: describeNode },
  // Deletes the marks of calls that were settled more than a day ago.
  { name: 'prune-settlements', scope: 'node', every: HOUR, run: pruneSettlements },
  // Deletes keys that are older than a day.
  { name: 'prune-idempotency-keys', scope: 'cluster', every: HOUR, run: pruneIdempotencyKeys },
  // Both delete the rows of what upstreams no longer keep; items take a read of the whole table.
  { name: 'prune-stored-objects', scope: 'cluster', every: HOUR, run: pruneStoredObjects },
  { name: 'prune-stored-items', scope: 'cluster', every: DAY, run: pruneStoredItems },
  // Deletes responses that have been kept for a day.
  { name: 'prune-background-responses', scope: 'cluster', every: 10 * MINUTE, run: pruneBackground },
  // Stops responses that were cancelled or deleted at another node.
  { name: 'stop-background-responses', scope: 'node', every: 1, run: stopEndedElsewhere },
  // Deletes what is older than 30 days of the calls that passed to another gateway.
  { name: 'prune-shadow', scope: 'cluster', every: DAY, run: pruneShadow },
  // Deletes entries that are older than LogRetentionDays, and goes on with an interrupted clearing.
  { name: CLEAR_LOGS, scope: 'cluster', every: MINUTE, run: clearLogs },
  // Deletes hours of channels that are older than their history shows.
  { name: 'prune-channel-hours', scope: 'cluster', every: DAY, run: pruneChannelHours },
  // Deletes windows of budgets that ended long ago.
  { name: 'prune-budgets', scope: 'cluster', every: DAY, run: pruneBudgets },
  // Sums usage for the dashboard; on every node, since each has to know how far the hours are rolled up.
  { name: 'roll-up-usage', scope: 'node', every: MINUTE, run: rollUpUsage },
  // Asks upstreams how far their tasks are.
  { name: 'look-after-tasks', scope: 'cluster', every: 15, run: lookAfterTasks },
  // Copies results that wait for another attempt, or that a stopped node has left, and deletes those whose days are over.
  { name: 'save-results', scope: 'cluster', every: 30, run: saveResults },
  { name: 'expire-results', scope: 'cluster', every: HOUR, run: expireResults },
  // Empties tasks that are older than TaskDataRetentionDays, and deletes those older than TaskRetentionDays.
  { name: 'prune-tasks', scope: 'cluster', every: DAY, run: pruneTasks },
  // Each day dumps PostgreSQL to BACKUP_URL; SQLite is backed up without a job.
  { name: 'dump-database', scope: 'cluster', every: 30, run: keepDump },
  // Reads on each node how the last test of the backup went, and when it was last dumped.
  { name: 'look-at-backup', scope: 'node', every: 30, run: lookAtBackup },
  // Each week restores the newest backup into a temporary file and audits it.
  { name: TEST_BACKUP, scope: 'cluster', every: testEvery_seconds, run: testBackup },
  { name: 'report-stopped-backup', scope: 'cluster', every: MINUTE, run: reportStoppedBackup },
  // Expires orders that are not paid for a day.
  { name: 'expire-orders', scope: 'cluster', every: MINUTE, run: expireOrders },
]
