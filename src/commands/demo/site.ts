/** Users, channels, tokens and past usage of the demo. */
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
import { addChannels, checkChannels } from './channels.ts'
import { addNewCodes, addOldCodes } from './codes.ts'
import { sendMaintenance, sendWelcome } from './messages.ts'
import { openShop, playOrders } from './orders.ts'
import { checkInAt, setRewards } from './rewards.ts'
import { spendForAMonth } from './usage.ts'

export const DEMO_ROOT = { username: 'root', password: 'opensesame' }

/** A customer with usage; the password is root's. */
export const DEMO_USER = 'mira'

const DAY_SECONDS = 86_400
const MONTH_DAYS = 30
const USD = 500_000

const groups = { default: 1, vip: 0.8, batch: 0.5, premium: 1.5, lab: 6 }
const offers = { default: 'Everyone', vip: 'Faster channels', batch: 'Cheaper, at night', premium: 'Reserved capacity' }

const people = [
  { username: DEMO_USER, group: 'vip', usd: 420 },
  { username: 'jun', group: 'default', usd: 160 },
  { username: 'linh', group: 'premium', usd: 240 },
]

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
const tokens = () => [
  { name: 'crawler-prod', group: 'vip', ...limited(50) },
  { name: 'web-chat', group: 'default', ...limited(50), rate_limit_enabled: true, rate_limit_count: 60 },
  { name: 'laptop', group: '', unlimited_quota: true },
  { name: 'batch-embed', group: 'batch', ...limited(25) },
  { name: 'ci-runner', group: '', ...limited(10), model_limits_enabled: true, model_limits: 'gpt-4o-mini,gpt-5-mini' },
  { name: 'workshop', group: 'default', ...limited(20), expired_time: now() + FIRST_DAYS * DAY_SECONDS },
  { name: 'trial', group: 'default', ...limited(0) },
]

const limited = (usd: number) => ({ remain_quota: usd * USD })

/** Sets the clock back by a month and plays the usage up to now. @returns API keys of root and of a customer, without limits */
export async function fillDemo(): Promise<string[]> {
  shiftClock(-MONTH_DAYS * DAY_SECONDS)
  const setup_token = env.SETUP_TOKEN ?? ''
  await setUp({ ...DEMO_ROOT, confirmPassword: DEMO_ROOT.password, setup_token, DemoSiteEnabled: false })
  await setOptionAsSystem('AutomaticDisableChannelEnabled', 'true')
  await setOptionAsSystem('Chats', JSON.stringify(chats))
  await setOptionAsSystem('GroupRatio', JSON.stringify(groups))
  await setOptionAsSystem('UserUsableGroups', JSON.stringify(offers))
  const served = await addChannels()
  await setRewards(USD)
  await openShop()
  const root = (await userByLogin(DEMO_ROOT.username))!
  const users = await addPeople()
  const spenders = await Promise.all([root, ...users].map(addTokens))
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
async function addTokens(owner: SessionUser) {
  const created = []
  for (const fields of tokens()) {
    const [token] = await createTokens({ ...owner, group: 'vip' }, NewToken.parse(fields))
    created.push({ owner, token: token! })
  }
  return created
}
