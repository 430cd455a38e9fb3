/** Addresses of the audit log: its filters and the open entry. */
import { AUDIT_PATH, type AuditAction, type AuditEntry } from '../../src/contracts/audit-log.ts'
import { addressOf } from '../../src/contracts/list-address.ts'
import type { LogsRange } from '../../src/contracts/log.ts'

export interface AuditView {
  page: number
  action?: AuditAction
  actor?: string
  keyword?: string
  range?: LogsRange
  /** Values of `datetime-local` fields, for the range `custom`. */
  from?: string
  to?: string
}

const filterNames = ['action', 'actor', 'keyword', 'range'] as const

export const auditAt = (view: Partial<AuditView>, open?: number): string => addressOf(AUDIT_PATH, view, { open })

export const exportAt = (view: AuditView): string => addressOf(`${AUDIT_PATH}/export.csv`, { ...view, page: 1 })

export const filterCount = (view: AuditView): number => filterNames.filter(name => view[name]).length

export const undoAt = (id: number): string => `${AUDIT_PATH}/${id}/undo`

/** A changed field with both values, in words. */
export interface AuditChange {
  label: string
  before: string
  after: string
}

export interface AuditItem extends AuditEntry {
  /** What was changed, such as `#3 openai-main` or the name of a setting. */
  target: string
  /** Where it is; undefined for what has no page, or is deleted. */
  href?: string
  changes: AuditChange[]
  /** Unless there was a later change. */
  can_undo: boolean
}
