/** Addresses of the audit log: its filters and the open entry. */
import { AUDIT_PATH, type AuditAction } from '../../src/contracts/audit-log.ts'
import { addressOf } from '../../src/contracts/list-address.ts'

export interface AuditView {
  page: number
  action?: AuditAction
  actor?: string
  keyword?: string
  /** Days as `2026-11-22`, inclusive. */
  from?: string
  to?: string
}

const filterNames = ['action', 'actor', 'keyword', 'from', 'to'] as const

export const auditAt = (view: Partial<AuditView>, open?: number): string => addressOf(AUDIT_PATH, view, { open })

export const exportAt = (view: AuditView): string => addressOf(`${AUDIT_PATH}/export.csv`, { ...view, page: 1 })

export const filterCount = (view: AuditView): number => filterNames.filter(name => view[name]).length
