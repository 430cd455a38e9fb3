// @engine sqlite
/**
 * What `npm test` runs on PostgreSQL too. Each source whose SQL differs between the engines, or locks rows, has a test
 * file that runs it and is marked `@engine both`; the long tier runs all unmarked files on both, and one of those here
 * (responses in the background of whole processes) alone.
 */
import { expect, test } from 'bun:test'
import { jobsOf } from './support/runner/job.ts'
import { importsOf, read } from './support/source/files.ts'

const testOf = {
  'src/cluster/changes.ts': 'console/tokens',
  'src/cluster/joining.ts': 'commands/commands',
  'src/cluster/lease.ts': 'cluster/leases',
  'src/cluster/leases.ts': 'cluster/leases',
  'src/cluster/limits-own.ts': 'console/sign-in-backoff',
  'src/cluster/node-state.ts': 'console/diagnostics',
  'src/cluster/node.ts': 'console/api-document',
  'src/commands/check-set-up-mark.ts': 'console/set-up-mark',
  'src/commands/import.ts': 'commands/import',
  'src/commands/migrate.ts': 'commands/commands',
  'src/commands/restore.ts': 'commands/dumps',
  'src/commands/rotate-key.ts': 'commands/rotate-key',
  'src/commands/serve.ts': 'system/background-responses',
  'src/domain/account/authority.ts': 'console/user-quota',
  'src/domain/account/manage-budgets.ts': 'relay/charging/budgets',
  'src/domain/account/manage-users.ts': 'console/audit-log',
  'src/domain/account/own-account.ts': 'console/sign-in-backoff',
  'src/domain/account/password-reset.ts': 'console/password-reset',
  'src/domain/account/sessions.ts': 'console/concurrent-writes',
  'src/domain/account/undo.ts': 'console/undo',
  'src/domain/audit-log/service.ts': 'console/audit-log',
  'src/domain/background-responses/ended-elsewhere.ts': 'system/background-responses',
  'src/domain/background-responses/service.ts': 'relay/background/responses',
  'src/domain/backups/service.ts': 'commands/backup-light',
  'src/domain/backups/snapshot.ts': 'commands/backup-light',
  'src/domain/backups/test-backup.ts': 'commands/backup-light',
  'src/domain/budgets/audit.ts': 'relay/charging/budgets',
  'src/domain/budgets/per-key.ts': 'relay/charging/channel-key-budgets',
  'src/domain/budgets/service.ts': 'relay/charging/budgets',
  'src/domain/budgets/shown.ts': 'relay/charging/budgets',
  'src/domain/channels/config/abilities.ts': 'console/channel-batch',
  'src/domain/channels/config/batch.ts': 'console/channel-batch',
  'src/domain/channels/config/copy.ts': 'console/channel-batch',
  'src/domain/channels/config/search.ts': 'console/channels',
  'src/domain/channels/config/service.ts': 'console/channels',
  'src/domain/channels/config/undo.ts': 'console/undo',
  'src/domain/logs/failures.ts': 'console/log-page',
  'src/domain/logs/keyword.ts': 'console/log-keyword',
  'src/domain/logs/newer.ts': 'console/log-page',
  'src/domain/logs/of-channel.ts': 'console/channel-report',
  'src/domain/logs/saved-filters.ts': 'console/log-page',
  'src/domain/logs/search.ts': 'console/log-plans',
  'src/domain/logs/table.ts': 'console/log-page',
  'src/domain/messages/inbox.ts': 'console/messages',
  'src/domain/messages/recipients.ts': 'console/messages',
  'src/domain/messages/service.ts': 'console/messages',
  'src/domain/moving-in/carry.ts': 'commands/import',
  'src/domain/oauth/bindings.ts': 'console/bindings',
  'src/domain/options/service.ts': 'console/options',
  'src/domain/payments/callback.ts': 'console/payment-callbacks',
  'src/domain/payments/orders.ts': 'console/payment-callbacks',
  'src/domain/payments/stray.ts': 'console/stray-payments',
  'src/domain/pricing/changes.ts': 'console/price-changes',
  'src/domain/redemption/list.ts': 'console/redemption',
  'src/domain/redemption/service.ts': 'console/redemption',
  'src/domain/rewards/rebate.ts': 'console/transfers',
  'src/domain/routing/channel-keys.ts': 'routing/multi-key',
  'src/domain/routing/health/channel-events.ts': 'console/channel-history',
  'src/domain/routing/health/hourly-outcomes.ts': 'console/channel-report',
  'src/domain/routing/health/model-hours.ts': 'console/channel-history',
  'src/domain/routing/health/shared-cooldowns.ts': 'routing/multi-key',
  'src/domain/setup/service.ts': 'console/setup',
  'src/domain/statement/credits.ts': 'console/credits-audit',
  'src/domain/statement/day.ts': 'console/statement',
  'src/domain/statement/service.ts': 'console/statement',
  'src/domain/tasks/begin.ts': 'relay/tasks/tasks',
  'src/domain/tasks/gauges.ts': 'relay/watching/task-metrics',
  'src/domain/tasks/list.ts': 'console/task-lists',
  'src/domain/tasks/lost.ts': 'relay/tasks/tasks',
  'src/domain/tokens/lookup.ts': 'console/tokens',
  'src/domain/tokens/search.ts': 'console/token-search',
  'src/domain/tokens/service.ts': 'console/tokens',
  'src/domain/two-factor/authenticator.ts': 'console/second-factor',
  'src/domain/two-factor/passkeys.ts': 'console/second-factor',
  'src/domain/two-factor/recovery-codes.ts': 'console/second-factor',
  'src/domain/usage/affinity.ts': 'routing/affinity-savings',
  'src/domain/usage/first-token-days.ts': 'console/availability',
  'src/domain/usage/roll-up.ts': 'console/usage-rollups',
  'src/domain/usage/stat.ts': 'console/log-totals',
  'src/domain/usage/sums.ts': 'console/usage-rollups',
  'src/domain/users/list.ts': 'console/user-list',
  'src/domain/users/names.ts': 'console/username-case',
  'src/domain/users/setting.ts': 'console/notices',
  'src/domain/wallet/audit.ts': 'relay/charging/wallet',
  'src/domain/wallet/ledger.ts': 'pages/users',
  'src/domain/wallet/oldest-hold.ts': 'console/diagnostics',
  'src/domain/wallet/openings.ts': 'commands/import',
  'src/domain/wallet/reservations.ts': 'relay/charging/reserve',
  'src/domain/wallet/settle-group.ts': 'relay/charging/grouped-bills',
} as const

const differs = ['src/db/dialect.ts', 'src/db/fragments.ts']
const locks = /import \{[^}]*\b(lock|inTurn)\b[^}]*\} from '[./]+db\/atomic\.ts'/

test('each source whose SQL differs between the engines has a test file for both', async () => {
  const sources = (await read('src/**/*.ts')).filter(({ path }) => !path.startsWith('src/db/'))
  const different = sources.filter(
    file => locks.test(file.code) || importsOf(file).some(path => differs.includes(path)),
  )
  expect(different.map(({ path }) => path)).toEqual(Object.keys(testOf))
})

test.each(Array.from(new Set(Object.values(testOf))))('tests/%s.test.ts runs on both engines', async name => {
  const file = `tests/${name}.test.ts`
  expect(jobsOf(file, await Bun.file(file).text()).map(({ engine }) => engine)).toEqual(['sqlite', 'postgres'])
})
