/** Operations of administrators, without channels. */
import { z } from 'zod'
import { TestMail } from '../../../contracts/mail.ts'
import { FallbackDraft, OidcDiscovery, OptionChange, SettingsImport } from '../../../contracts/option.ts'
import { listingOf } from '../../../contracts/paging.ts'
import { StrayCredit, StrayDismissal, UserOrder } from '../../../contracts/payment.ts'
import { CodeEdit, CodeIds, CodeName, NewCodes, newCodeFields, Redemption } from '../../../contracts/redemption.ts'
import { StatementListing } from '../../../contracts/statement.ts'
import { AdminTopUp } from '../../../contracts/top-up.ts'
import { UserCreation, UserEdit, UserManagement, UserView } from '../../../contracts/user.ts'
import type { OperationGroup } from './notes.ts'

export const people: OperationGroup = {
  noun: 'users',
  title: 'Users (administrators)',
  operations: {
    'GET /api/user/': { summary: 'operation.users', data: listingOf(UserView) },
    'GET /api/user/search': { summary: 'operation.users_search', data: listingOf(UserView) },
    'GET /api/user/:id': { summary: 'operation.user', data: UserView },
    'POST /api/user/': {
      summary: 'operation.user_create',
      body: UserCreation,
      example: { username: 'ann', password: 'correct horse' },
    },
    'PUT /api/user/': {
      summary: 'operation.user_edit',
      description:
        'Absent fields stay unchanged. With `quota_read` a changed balance is refused instead of overwritten.',
      body: UserEdit,
      example: { id: 2, group: 'vip' },
    },
    'POST /api/user/manage': {
      summary: 'operation.user_manage',
      body: UserManagement,
      example: { id: 2, action: 'disable' },
      data: z.object({ status: z.int(), role: z.int() }),
    },
    'DELETE /api/user/:id': { summary: 'operation.user_delete', data: z.null() },
    'GET /api/user/:id/statement': { summary: 'operation.user_statement', data: StatementListing },
    'POST /api/topup': {
      summary: 'operation.balance_change',
      body: AdminTopUp,
      example: { user_id: 2, quota: 500000, remark: 'bonus' },
      data: z.object({ user_id: z.int(), username: z.string(), balance: z.int() }),
      idempotent: true,
    },
  },
}

export const codes: OperationGroup = {
  noun: 'codes',
  title: 'Redemption codes (administrators)',
  operations: {
    'GET /api/redemption/': { summary: 'operation.codes', data: listingOf(Redemption) },
    'GET /api/redemption/search': { summary: 'operation.codes_search', data: listingOf(Redemption) },
    'GET /api/redemption/:id': { summary: 'operation.code', data: Redemption },
    'POST /api/redemption/': {
      summary: 'operation.codes_create',
      body: NewCodes,
      defaults: newCodeFields.defaults,
      example: { name: 'spring', quota: 500000, count: 2 },
      data: z.array(z.string()),
      idempotent: true,
    },
    'PUT /api/redemption/': {
      summary: 'operation.code_edit',
      description:
        'Absent fields stay unchanged. With `status_only=true` the body is `{ "id", "status" }`, where the status is ' +
        '1 (unused) or 2 (disabled).',
      body: CodeEdit,
      example: { id: 1, quota: 1000000 },
      data: Redemption,
    },
    'PUT /api/redemption/batch-disable': {
      summary: 'operation.codes_disable',
      body: CodeIds,
      example: { ids: [1, 2] },
    },
    'GET /api/redemption/count-by-name': { summary: 'operation.codes_count', query: CodeName },
    'DELETE /api/redemption/delete-by-name': { summary: 'operation.codes_delete_named', query: CodeName },
    'DELETE /api/redemption/delete-disabled': { summary: 'operation.codes_delete_disabled' },
    'DELETE /api/redemption/:id': { summary: 'operation.code_delete' },
  },
}

export const operation: OperationGroup = {
  noun: 'operation',
  title: 'Settings, orders and audit log (administrators)',
  operations: {
    'GET /api/option/': {
      summary: 'operation.options',
      data: z.array(z.object({ key: z.string(), value: z.string() })),
    },
    'PUT /api/option/': {
      summary: 'operation.option_edit',
      body: OptionChange,
      example: { key: 'CheckInQuota', value: '1000' },
    },
    'POST /api/option/rest_model_ratio': { summary: 'operation.prices_reset' },
    'POST /api/option/validate_fallback_pricing': { summary: 'operation.fallback_check', body: FallbackDraft },
    'GET /api/option/export': { summary: 'operation.options_export' },
    'POST /api/option/import': {
      summary: 'operation.options_import',
      body: SettingsImport,
      example: { preview: true, options: { CheckInQuota: '1000' } },
    },
    'GET /api/option/history': { summary: 'operation.options_history' },
    'POST /api/option/history/:id/undo': { summary: 'operation.option_undo' },
    'POST /api/option/oidc_discovery': {
      summary: 'operation.oidc_discovery',
      body: OidcDiscovery,
      example: { well_known: 'https://login.example/.well-known/openid-configuration' },
    },
    'GET /api/system/': { summary: 'operation.system' },
    'POST /api/system/check_update': { summary: 'operation.release_check' },
    'POST /api/option/test_mail': {
      summary: 'operation.test_mail',
      body: TestMail,
      example: { to: 'ann@example.com' },
    },
    'GET /api/user/topup': { summary: 'operation.orders', data: listingOf(UserOrder) },
    'GET /api/user/topup/stray': { summary: 'operation.stray_payments' },
    'POST /api/user/topup/stray/:id/credit': {
      summary: 'operation.stray_credit',
      body: StrayCredit,
      idempotent: true,
    },
    'POST /api/user/topup/stray/:id/dismiss': {
      summary: 'operation.stray_dismiss',
      body: StrayDismissal,
    },
    'GET /api/audit/': { summary: 'operation.audit' },
  },
}
