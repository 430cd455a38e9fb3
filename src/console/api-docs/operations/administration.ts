/** Operations of administrators, without channels. */
import { z } from 'zod'
import { TestMail } from '../../../contracts/mail.ts'
import { FallbackDraft, OidcDiscovery, OptionChange, SettingsImport } from '../../../contracts/option.ts'
import { StrayCredit, StrayDismissal } from '../../../contracts/payment.ts'
import { CodeEdit, CodeIds, CodeName, codeDefaults, NewCodes } from '../../../contracts/redemption.ts'
import { AdminTopUp } from '../../../contracts/top-up.ts'
import { UserCreation, UserEdit, UserManagement } from '../../../contracts/user.ts'
import { listingOf, OrderAnswer, RedemptionAnswer, StatementAnswer, UserAnswer } from '../answers.ts'
import type { OperationGroup } from './notes.ts'

const Orders = listingOf(OrderAnswer.omit({}).extend({ user_id: z.int(), username: z.string() }))

export const people: OperationGroup = {
  noun: 'users',
  title: 'Users (administrators)',
  operations: {
    'GET /api/user/': { summary: 'Users.', data: listingOf(UserAnswer) },
    'GET /api/user/search': { summary: 'Users by name, address, id or group.', data: listingOf(UserAnswer) },
    'GET /api/user/:id': { summary: 'One user.', data: UserAnswer },
    'POST /api/user/': {
      summary: 'Creates a user.',
      body: UserCreation,
      example: { username: 'ann', password: 'correct horse' },
    },
    'PUT /api/user/': {
      summary: 'Changes a user.',
      description:
        'Absent fields stay unchanged. With `quota_read` a changed balance is refused instead of overwritten.',
      body: UserEdit,
      example: { id: 2, group: 'vip' },
    },
    'POST /api/user/manage': {
      summary: 'Promotes, demotes, disables, enables or deletes a user.',
      body: UserManagement,
      example: { id: 2, action: 'disable' },
      data: z.object({ status: z.int(), role: z.int() }),
    },
    'DELETE /api/user/:id': { summary: 'Deletes a user.', data: z.null() },
    'GET /api/user/:id/statement': { summary: 'Statement of a user.', data: StatementAnswer },
    'POST /api/topup': {
      summary: 'Adds to a balance, or takes from it.',
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
    'GET /api/redemption/': { summary: 'Codes, newest first.', data: listingOf(RedemptionAnswer) },
    'GET /api/redemption/search': { summary: 'Codes by name, key or id.', data: listingOf(RedemptionAnswer) },
    'GET /api/redemption/:id': { summary: 'One code.', data: RedemptionAnswer },
    'POST /api/redemption/': {
      summary: 'Creates codes; `data` has their keys.',
      body: NewCodes,
      defaults: codeDefaults,
      example: { name: 'spring', quota: 500000, count: 2 },
      data: z.array(z.string()),
      idempotent: true,
    },
    'PUT /api/redemption/': {
      summary: 'Changes a code, or only its status with `status_only`.',
      description:
        'Absent fields stay unchanged. With `status_only=true` the body is `{ "id", "status" }`, where the status is ' +
        '1 (unused) or 2 (disabled).',
      body: CodeEdit,
      example: { id: 1, quota: 1000000 },
      data: RedemptionAnswer,
    },
    'PUT /api/redemption/batch-disable': { summary: 'Disables codes.', body: CodeIds, example: { ids: [1, 2] } },
    'GET /api/redemption/count-by-name': { summary: 'Number of codes with this name.', query: CodeName },
    'DELETE /api/redemption/delete-by-name': { summary: 'Deletes the codes with this name.', query: CodeName },
    'DELETE /api/redemption/delete-disabled': { summary: 'Deletes disabled codes.' },
    'DELETE /api/redemption/:id': { summary: 'Deletes a code.' },
  },
}

export const operation: OperationGroup = {
  noun: 'operation',
  title: 'Settings, orders and audit log (administrators)',
  operations: {
    'GET /api/option/': {
      summary: 'Options; secret ones are left out.',
      data: z.array(z.object({ key: z.string(), value: z.string() })),
    },
    'PUT /api/option/': {
      summary: 'Changes an option.',
      body: OptionChange,
      example: { key: 'CheckInQuota', value: '1000' },
    },
    'POST /api/option/rest_model_ratio': { summary: 'Returns the price tables to their defaults.' },
    'POST /api/option/validate_fallback_pricing': { summary: 'Checks fallback prices.', body: FallbackDraft },
    'GET /api/option/export': { summary: 'Changed options as a file, without secrets.' },
    'POST /api/option/import': {
      summary: 'Applies exported options, all or none; with `preview` it only says what would change.',
      body: SettingsImport,
      example: { preview: true, options: { CheckInQuota: '1000' } },
    },
    'GET /api/option/history': { summary: 'Changes of options, newest first, of all or of one section.' },
    'POST /api/option/history/:id/undo': { summary: 'Takes back a change, unless the option has changed since.' },
    'POST /api/option/oidc_discovery': {
      summary: 'Endpoints of an OpenID Connect provider, from its discovery document.',
      body: OidcDiscovery,
      example: { well_known: 'https://login.example/.well-known/openid-configuration' },
    },
    'GET /api/system/': { summary: 'Version, start, runtime and database of the server.' },
    'POST /api/system/check_update': { summary: 'Whether a newer release exists.' },
    'POST /api/option/test_mail': {
      summary: 'Sends a test mail, to the caller without a recipient.',
      body: TestMail,
      example: { to: 'ann@example.com' },
    },
    'GET /api/user/topup': { summary: 'Orders of all users.', data: Orders },
    'GET /api/user/topup/stray': { summary: 'Payments without an order that fits.' },
    'POST /api/user/topup/stray/:id/credit': {
      summary: 'Credits a stray payment to a user.',
      body: StrayCredit,
      idempotent: true,
    },
    'POST /api/user/topup/stray/:id/dismiss': {
      summary: 'Closes a stray payment without a credit.',
      body: StrayDismissal,
    },
    'GET /api/audit/': { summary: 'Administrative changes, newest first.' },
  },
}
