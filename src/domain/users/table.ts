/** Users. */
import { Role, UserStatus } from '../../contracts/account.ts'
import { column as c } from '../../db/columns.ts'

export const users = c.table(
  'users',
  {
    id: c.id(),
    username: c.text().notNull(),
    /** argon2id. */
    password: c.text().notNull().default(''),
    display_name: c.text().notNull().default(''),
    role: c.whole().notNull().default(Role.user),
    status: c.whole().notNull().default(UserStatus.enabled),
    email: c.text().notNull().default(''),
    group: c.text().notNull().default('default'),
    /** Balance. Only the wallet changes it, by delta. May fall below zero by the overrun of running calls. */
    quota: c.whole().notNull().default(0),
    used_quota: c.whole().notNull().default(0),
    request_count: c.whole().notNull().default(0),
    /** SHA-256 of the system access token. */
    access_token_hash: c.text(),
    setting: c.text().notNull().default(''),
    created_time: c.whole().notNull(),
    deleted_time: c.whole(),
  },
  user => [
    c.unique('users_username').on(user.username),
    c.unique('users_access_token').on(user.access_token_hash),
    c.index('users_email').on(user.email),
  ],
)

export type User = typeof users.$inferSelect
