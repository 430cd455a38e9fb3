/** Users. */
import { sql } from 'drizzle-orm'
import { Role, UserStatus } from '../../contracts/account.ts'
import { column as c } from '../../db/columns.ts'

export const users = c.table(
  'users',
  {
    id: c.id(),
    username: c.text().notNull(),
    /** As of `foldName`: names that differ in case only are one. Null until a start has folded it. */
    username_folded: c.text(),
    /** 0; the own id where an older user has the folded name already, which earlier versions allowed. */
    username_twin: c.whole().notNull().default(0),
    /** argon2id. */
    password: c.text().notNull().default(''),
    display_name: c.text().notNull().default(''),
    role: c.whole().notNull().default(Role.user),
    status: c.whole().notNull().default(UserStatus.enabled),
    /** In lower case. */
    email: c.text().notNull().default(''),
    /** Ids at login providers, empty when not bound. GitHub's is the numeric id: login names change hands. */
    github_id: c.text().notNull().default(''),
    oidc_id: c.text().notNull().default(''),
    linux_do_id: c.text().notNull().default(''),
    wechat_id: c.text().notNull().default(''),
    telegram_id: c.text().notNull().default(''),
    group: c.text().notNull().default('default'),
    /** Balance. Only the wallet changes it, by delta. May fall below zero by the overrun of running calls. */
    quota: c.whole().notNull().default(0),
    used_quota: c.whole().notNull().default(0),
    request_count: c.whole().notNull().default(0),
    /** SHA-256 of the system access token. */
    access_token_hash: c.text(),
    /** Invitation code, created on demand. */
    aff_code: c.text(),
    /** Invited users. */
    aff_count: c.whole().notNull().default(0),
    /** Quota earned by invitations and not yet moved to the balance. */
    aff_quota: c.whole().notNull().default(0),
    /** Quota ever earned by invitations. */
    aff_history_quota: c.whole().notNull().default(0),
    /** The user whose invitation was used; 0 for none. */
    inviter_id: c.whole().notNull().default(0),
    /** UTC day of the last check-in, as `2026-11-22`. */
    last_check_in_day: c.text(),
    /** Concurrent calls allowed; 0 for the limit of the site. */
    concurrency_limit: c.whole().notNull().default(0),
    /** Tokens in any 60 seconds; 0 for the limit of the site. */
    tokens_per_minute: c.whole().notNull().default(0),
    /** Language of notices: that of the last sign-in or choice. Empty until then. */
    language: c.text().notNull().default(''),
    /** JSON text of the settings of the user: the secret of the webhook is in it. */
    setting: c.sealed().notNull().default(''),
    created_time: c.whole().notNull(),
    /** Unix seconds of the last page or charged call; 0 for never. Pages are counted every few minutes. */
    last_seen: c.whole().notNull().default(0),
    deleted_time: c.whole(),
  },
  user => [
    c.unique('users_username').on(user.username),
    c.unique('users_folded').on(user.username_folded, user.username_twin),
    c.index('users_twins').on(user.username_twin).where(sql`${user.username_twin} <> 0`),
    c.unique('users_access_token').on(user.access_token_hash),
    c.unique('users_aff_code').on(user.aff_code),
    c.unique('users_email').on(user.email).where(sql`${user.email} <> ''`),
    c.unique('users_github').on(user.github_id).where(sql`${user.github_id} <> ''`),
    c.unique('users_oidc').on(user.oidc_id).where(sql`${user.oidc_id} <> ''`),
    c.unique('users_linux_do').on(user.linux_do_id).where(sql`${user.linux_do_id} <> ''`),
    c.unique('users_wechat').on(user.wechat_id).where(sql`${user.wechat_id} <> ''`),
    c.unique('users_telegram').on(user.telegram_id).where(sql`${user.telegram_id} <> ''`),
    c.index('users_inviter').on(user.inviter_id),
  ],
)

export type User = typeof users.$inferSelect
