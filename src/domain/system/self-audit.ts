/** The audit by button: runs in this process, one at a time, and keeps its result until the next one. */
import type { AuditRun } from '../../contracts/diagnostics.ts'
import { now, stopwatch } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { gauge } from '../../process/metrics/gauge.ts'
import { store } from '../../process/stores.ts'
import { auditBudgets } from '../budgets/index.ts'
import { auditCredits } from '../statement/index.ts'
import { auditRollUps } from '../usage/index.ts'
import { auditWallets } from '../wallet/index.ts'

const runs = store('self-audit', new Map<'last', AuditRun>())

gauge(
  'tollgate_audit_differences',
  'Whether the last audit of this node by button has found a difference, 1 or 0: it stops at the first one.',
  () => {
    const { ended_time, error, difference } = lastAudit() ?? {}
    return ended_time === undefined || error !== undefined ? undefined : Number(difference !== undefined)
  },
)

/** @returns undefined before the first one */
export const lastAudit = (): AuditRun | undefined => runs.get('last')

/** Starts one in the background, unless one runs. @returns whether it has started */
export function startAudit(): boolean {
  const last = lastAudit()
  if (last && last.ended_time === undefined) return false
  runs.set('last', {})
  void runAudit()
  return true
}

async function runAudit() {
  const elapsed = stopwatch()
  const outcome = await firstDifference()
  runs.set('last', { ...outcome, ended_time: now(), took_ms: Math.round(elapsed()) })
}

async function firstDifference(): Promise<AuditRun> {
  try {
    const { difference } = await auditWallets()
    return {
      difference:
        difference ?? (await auditCredits()).difference ?? (await auditRollUps()) ?? (await auditBudgets()).difference,
    }
  } catch (error) {
    log.warn('the audit was not completed', { reason: reason(error) })
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
