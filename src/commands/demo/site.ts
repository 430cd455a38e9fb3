/** Users, channels, tokens and past usage of the demo. */

import { flushBuffers } from '../../cluster/write-behind.ts'
import { Role, type SessionUser, UserStatus } from '../../contracts/account.ts'
import { NewToken } from '../../contracts/token.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import { atomic } from '../../db/atomic.ts'
import { setOptionAsSystem } from '../../domain/options/index.ts'
import { expireOrders } from '../../domain/payments/index.ts'
import { welcome } from '../../domain/rewards/index.ts'
import { setUp } from '../../domain/setup/index.ts'
import { createTokens, writeLastUsed } from '../../domain/tokens/index.ts'
import { addUser, userByLogin } from '../../domain/users/index.ts'
import { credit } from '../../domain/wallet/index.ts'
import { env } from '../../env.ts'
import { now, shiftClock } from '../../process/clock.ts'
import { addBudgets } from './budgets.ts'
import { demoChannels } from './channel-list.ts'
import { addChannels, checkChannels } from './channels.ts'
import { addNewCodes, addOldCodes } from './codes.ts'
import { sendMaintenance, sendWelcome } from './messages.ts'
import { openShop, playOrders } from './orders.ts'
import { checkInAt, setRewards } from './rewards.ts'
import { tryOut } from './try-out.ts'
import { LOGGED_DAYS, spendForAMonth } from './usage.ts'

export const DEMO_ROOT = { username: 'root', password: 'opensesame' }

/** A customer with usage; the password is root's. */
export const DEMO_USER = 'mira'

const DAY_SECONDS = 86_400
const MONTH_DAYS = 30
/** Usage begins so long ago, as the public status page shows it. */
const ALL_DAYS = 90
const USD = 500_000

const groups = { default: 1, vip: 0.8, batch: 0.5, premium: 1.5, lab: 6 }
const offers = { default: 'Everyone', vip: 'Faster channels', batch: 'Cheaper, at night', premium: 'Reserved capacity' }

/** The first three have one token of each state. */
const people = [
  { username: DEMO_USER, group: 'vip', usd: 1200 },
  { username: 'jun', group: 'default', usd: 900 },
  { username: 'linh', group: 'premium', usd: 900 },
  { username: 'tomas', group: 'default', usd: 400 },
  { username: 'amara', group: 'vip', usd: 400 },
  { username: 'yuki', group: 'default', usd: 400 },
  { username: 'pavel', group: 'default', usd: 400 },
  { username: 'noor', group: 'premium', usd: 400 },
  { username: 'ines', group: 'default', usd: 400 },
  { username: 'kofi', group: 'vip', usd: 400 },
  { username: 'wei', group: 'default', usd: 400 },
]
const ROOT_USD = 1500
const CUSTOMERS_WITH_ALL_TOKENS = 3
/** Id of the channel that has limits: ids follow the order of the list. */
const LIMITED_CHANNEL = demoChannels.findIndex(({ setting }) => setting) + 1

/** Accounts without usage: one of each state and role. */
const others = [
  { username: 'ada', display_name: 'Ada, support', role: Role.admin },
  { username: 'oskar', display_name: 'Oskar', status: UserStatus.banned },
  { username: 'old-bot', display_name: 'Old bot', isDeregistered: true },
]

/** A site in a frame, and an app. */
const chats = [
  { NextChat: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
  { AMA: 'ama://set-api-key?server={address}&key={key}' },
]

const FIRST_DAYS = 12

/** One of each state: open, almost used up, with limits, expired, exhausted. */
const allTokens = () => [
  { name: 'crawler-prod', group: 'vip', ...limited(900) },
  { name: 'web-chat', group: 'default', ...limited(900), rate_limit_enabled: true, rate_limit_count: 60 },
  { name: 'laptop', group: '', unlimited_quota: true },
  { name: 'batch-embed', group: 'batch', ...limited(300) },
  { name: 'ci-runner', group: '', ...limited(50), model_limits_enabled: true, model_limits: 'gpt-4o-mini,gpt-5-mini' },
  { name: 'workshop', group: 'default', ...limited(60), expired_time: now() + FIRST_DAYS * DAY_SECONDS },
  { name: 'trial', group: 'default', ...limited(0) },
]

const usualTokens = () => [
  { name: 'agent', group: '', unlimited_quota: true },
  { name: 'backend', group: '', ...limited(500) },
]

const limited = (usd: number) => ({ remain_quota: usd * USD })

/** Sets the clock back by three months and plays the usage up to now. @returns API keys of root and of a customer, without limits */
export async function fillDemo(): Promise<string[]> {
  shiftClock(-ALL_DAYS * DAY_SECONDS)
  const setup_token = env.SETUP_TOKEN ?? ''
  await setUp({ ...DEMO_ROOT, confirmPassword: DEMO_ROOT.password, setup_token, DemoSiteEnabled: false })
  await setOptionAsSystem('RetryTimes', '2')
  await setOptionAsSystem('LogRetentionDays', String(LOGGED_DAYS))
  await setOptionAsSystem('AutomaticDisableChannelEnabled', 'true')
  await setOptionAsSystem('StatusPageEnabled', 'true')
  await setOptionAsSystem('Chats', JSON.stringify(chats))
  await setOptionAsSystem('GroupRatio', JSON.stringify(groups))
  await setOptionAsSystem('UserUsableGroups', JSON.stringify(offers))
  const served = await addChannels()
  await setRewards(USD)
  await openShop()
  const root = (await userByLogin(DEMO_ROOT.username))!
  await atomic(tx => credit(tx, { user_id: root.id, kind: 'admin', delta: ROOT_USD * USD }))
  await tryOut(root, served, ALL_DAYS - MONTH_DAYS)
  const users = await addPeople()
  const spenders = await Promise.all(
    [root, ...users].map((user, at) => addTokens(user, at <= CUSTOMERS_WITH_ALL_TOKENS ? allTokens() : usualTokens())),
  )
  const { token, owner } = spenders[1]!.find(({ token }) => token.unlimited_quota)!
  await addBudgets({ user: owner.id, token: token.id, channel: LIMITED_CHANNEL })
  await addOldCodes(root, users)
  await sendWelcome()
  await spendForAMonth(spenders.flat(), served, MONTH_DAYS, async hours_ago => {
    await playOrders(users, hours_ago)
    await checkInAt(users[0]!, hours_ago)
    await writeLastUsed()
  })
  await expireOrders()
  await sendMaintenance()
  await addNewCodes(root, users)
  await checkChannels()
  await flushBuffers()
  return spenders.slice(0, 2).map(own => own.find(({ token }) => token.unlimited_quota)!.token.key)
}

/** The first customer has invited those without usage. */
async function addPeople() {
  const password = await hashPassword(DEMO_ROOT.password)
  const customers = await Promise.all(
    people.map(({ username, group, usd }) =>
      atomic(function* (tx) {
        const user = yield* addUser(tx, { username, password, group, role: Role.user })
        yield* credit(tx, { user_id: user.id, kind: 'admin', delta: usd * USD })
        return user
      }),
    ),
  )
  const [inviter] = customers
  await atomic(function* (tx) {
    for (const { isDeregistered, role = Role.user, ...other } of others) {
      const deleted_time = isDeregistered ? now() : undefined
      const user = yield* addUser(tx, { ...other, role, password, deleted_time, inviter_id: inviter!.id })
      yield* welcome(tx, user, inviter)
    }
  })
  return customers
}

/** Creates the tokens of a user. @returns them with their owner */
async function addTokens(owner: SessionUser, tokens: object[]) {
  const created = []
  for (const fields of tokens) {
    const [token] = await createTokens({ ...owner, group: 'vip' }, NewToken.parse(fields))
    created.push({ owner, token: token! })
  }
  return created
}
