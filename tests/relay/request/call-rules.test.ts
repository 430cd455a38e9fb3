/** The rules that a call falls under, each alone and in their order: who may call, and which limits count. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Role, UserStatus } from '../../../src/contracts/account.ts'
import { statusAt, TokenStatus } from '../../../src/contracts/token.ts'
import { type OptionKey, option } from '../../../src/domain/options/index.ts'
import { holdClock, now } from '../../../src/process/clock.ts'
import type { ApiCaller } from '../../../src/relay/caller.ts'
import { accessRefusal, hasExpired, modelRefusal } from '../../../src/relay/request/access-rules.ts'
import { limitRefusal, limitsOf } from '../../../src/relay/request/call-limits.ts'
import { setOption } from '../../support/app/options.ts'

beforeAll(() => holdClock(true))
afterAll(() => holdClock(false))

const token = {
  ...{ id: 7, name: 'laptop', status: TokenStatus.enabled as number, expired_time: -1, allow_ips: '', group: '' },
  ...{ model_limits_enabled: false, model_limits: '', unlimited_quota: true, remain_quota: 0 },
  ...{ rate_limit_enabled: false, rate_limit_period: 60, rate_limit_count: 5, rate_limit_success: 3 },
}
const user = { id: 3, status: UserStatus.enabled, role: Role.user, group: 'default', concurrency_limit: 0 }

interface Change {
  token?: Partial<typeof token>
  user?: Partial<Record<keyof typeof user, unknown>>
  group?: string
  channel_id?: number
  address?: string
  session?: { expires_time: number }
}

const callerOf = ({ token: of_token, user: of_user, ...rest }: Change = {}): ApiCaller =>
  ({
    ...{ group: 'default', channel_id: undefined, address: '10.0.0.1' },
    ...rest,
    ...{ token: { ...token, ...of_token }, user: { ...user, ...of_user } },
  }) as unknown as ApiCaller

describe('access', () => {
  const refusals: [reason: string, change: () => Change, status: number][] = [
    ['relay.token_disabled', () => ({ token: { status: TokenStatus.disabled } }), 401],
    ['relay.token_expired', () => ({ token: { expired_time: now() } }), 401],
    ['relay.user_banned', () => ({ user: { status: UserStatus.banned } }), 403],
    ['relay.channel_choice_forbidden', () => ({ channel_id: 1 }), 403],
    ['relay.group_forbidden', () => ({ group: 'nobody' }), 403],
    ['relay.address_forbidden', () => ({ address: '10.0.0.9', token: { allow_ips: '10.0.0.1\n10.1.0.0/16' } }), 403],
  ]

  test.each(refusals)('%s is the reason where nothing else is wrong', (code, change, status) => {
    const refusal = accessRefusal(callerOf(change()))
    expect([refusal?.code, refusal?.status]).toEqual([code, status] as never)
  })

  test('the first of several reasons counts', () => {
    for (const [at, [code, change]] of refusals.entries()) {
      const changes = [...refusals.slice(at).map(([, other]) => other()), change()]
      const all = Object.assign({}, ...changes, {
        token: Object.assign({}, ...changes.map(one => one.token)),
        user: Object.assign({}, ...changes.map(one => one.user)),
      })
      expect(accessRefusal(callerOf(all))?.code).toBe(code as never)
    }
  })

  test.each([
    ['an ordinary caller', {}],
    ['a token that expires in a second', () => ({ token: { expired_time: now() + 1 } })],
    ['an exhausted token, whose calls go on', { token: { status: TokenStatus.exhausted } }],
    ['an administrator with a channel', { channel_id: 1, user: { role: Role.admin } }],
    ['an address of the list', { token: { allow_ips: '10.0.0.1' } }],
    ['an address of a range', { address: '10.1.2.3', token: { allow_ips: '192.0.2.1\n10.1.0.0/16' } }],
    ['the own group', { group: 'own', user: { group: 'own' } }],
  ] as [string, Change | (() => Change)][])('%s is not refused', (_, change) => {
    expect(accessRefusal(callerOf(typeof change === 'function' ? change() : change))).toBeUndefined()
  })

  test('a token that was marked as expired is refused, whatever its time, and a list without an address allows none', () => {
    expect(accessRefusal(callerOf({ token: { status: TokenStatus.expired } }))?.code).toBe('relay.token_expired')
    expect(accessRefusal(callerOf({ token: { allow_ips: 'nonsense' } }))?.code).toBe('relay.address_forbidden')
  })

  test.each([
    [{}, 'any', true],
    [{ token: { model_limits: 'a' } }, 'b', true],
    [{ token: { model_limits: 'a, b', model_limits_enabled: true } }, 'b', true],
    [{ token: { model_limits: 'a,b', model_limits_enabled: true } }, 'c', false],
    [{ token: { model_limits: '', model_limits_enabled: true } }, 'a', false],
    [{ token: { model_limits: 'gpt-4-gizmo-*', model_limits_enabled: true } }, 'gpt-4-gizmo-g-x', true],
    [{ token: { model_limits: 'a', model_limits_enabled: true }, channel_id: 1 }, 'c', true],
  ] as [Change, string, boolean][])('the caller %j may use the model %s: %p', (change, model, allowed) => {
    const refusal = modelRefusal(callerOf(change), model)
    expect(refusal && [refusal.code, refusal.status]).toEqual(
      allowed ? undefined : (['relay.model_forbidden', 403] as never),
    )
  })

  test('a session ends in its second, and a token in its own', () => {
    const ends = (seconds: number) => hasExpired(callerOf({ session: { expires_time: now() + seconds } }))
    expect([ends(1), ends(0), ends(-1)]).toEqual([false, true, true])
    const expires = (expired_time: number) => hasExpired(callerOf({ token: { expired_time } }))
    expect([expires(-1), expires(now() + 1), expires(now())]).toEqual([false, false, true])
  })

  test.each([
    [{ status: TokenStatus.enabled }, TokenStatus.enabled],
    [{ status: TokenStatus.enabled, expired_time: 100 }, TokenStatus.expired],
    [{ status: TokenStatus.enabled, expired_time: 101 }, TokenStatus.enabled],
    [{ status: TokenStatus.enabled, unlimited_quota: false }, TokenStatus.exhausted],
    [{ status: TokenStatus.enabled, unlimited_quota: false, remain_quota: 1 }, TokenStatus.enabled],
    [{ status: TokenStatus.enabled, unlimited_quota: false, expired_time: 100 }, TokenStatus.expired],
    [{ status: TokenStatus.disabled, expired_time: 100 }, TokenStatus.disabled],
    [{ status: TokenStatus.exhausted, expired_time: 100 }, TokenStatus.exhausted],
  ])('the token %j has the status %d at second 100', (fields, status) => {
    expect(statusAt({ ...token, ...fields }, 100)).toBe(status)
  })
})

describe('limits', () => {
  const BASE: Partial<Record<OptionKey, unknown>> = {
    ...{ ModelRequestRateLimitEnabled: false, UserConcurrencyLimit: 0, KeyConcurrencyLimit: 0 },
    ...{ 'global.rate_limit_exempt_enabled': false, 'global.rate_limit_exempt_group': 'vip' },
  }
  const names = Object.keys(BASE) as OptionKey[]
  const before = new Map<OptionKey, unknown>()
  const setAll = async (read: (name: OptionKey) => unknown) => {
    for (const name of names) await setOption(name, read(name))
  }
  beforeAll(() => {
    for (const name of names) before.set(name, option(name))
  })
  beforeEach(() => setAll(name => BASE[name]))
  afterAll(() => setAll(name => before.get(name)))

  const at_once = (key: string, count: number, code: string) => ({
    ...{ key, at_once: count, code, count: 0, success: 0, seconds: 0 },
  })
  const ofUser = at_once('user 3 at once', 4, 'relay.too_many_at_once')
  const ofKey = at_once('token 7 at once', 2, 'relay.too_many_at_once_by_key')
  const ofToken = { key: 'token 7', count: 5, success: 3, seconds: 60, code: 'relay.token_rate_limited' }
  const ofSite = { key: 'user 3', count: 9, success: 8, seconds: 120, code: 'relay.user_rate_limited' }
  const site = {
    ...{ ModelRequestRateLimitEnabled: true, ModelRequestRateLimitCount: 9, ModelRequestRateLimitSuccessCount: 8 },
    ...{ ModelRequestRateLimitDurationMinutes: 2 },
  }
  const limited = { token: { rate_limit_enabled: true } }

  const cases: [name: string, options: object, change: Change, limits: object[]][] = [
    ['nothing', {}, {}, []],
    ['the limit of the site at the same time', { UserConcurrencyLimit: 4 }, {}, [ofUser]],
    ['the own limit in its place', { UserConcurrencyLimit: 9 }, { user: { concurrency_limit: 4 } }, [ofUser]],
    ['the limit of a key at the same time', { KeyConcurrencyLimit: 2 }, {}, [ofKey]],
    ['none of a key, for the playground', { KeyConcurrencyLimit: 2 }, { token: { id: 0 } }, []],
    ['the rates of the key', {}, limited, [ofToken]],
    ['the rates of the site', site, {}, [ofSite]],
    [
      'all of them',
      { ...site, UserConcurrencyLimit: 4, KeyConcurrencyLimit: 2 },
      limited,
      [ofUser, ofKey, ofToken, ofSite],
    ],
    [
      'at most 100,000 calls of a key',
      {},
      { token: { rate_limit_enabled: true, rate_limit_count: 100_001, rate_limit_success: 200_000 } },
      [{ ...ofToken, count: 100_000, success: 100_000 }],
    ],
    [
      'nothing in the exempt group',
      { ...site, 'global.rate_limit_exempt_enabled': true },
      { ...limited, group: 'vip' },
      [],
    ],
    ['all in another group', { ...site, 'global.rate_limit_exempt_enabled': true }, limited, [ofToken, ofSite]],
    ['all in the group while it is not exempt', site, { ...limited, group: 'vip' }, [ofToken, ofSite]],
  ]

  test.each(cases)('a call falls under %s', async (_, options, change, limits) => {
    for (const [name, value] of Object.entries(options)) await setOption(name, value)
    expect(limitsOf(callerOf(change))).toEqual(limits as never)
  })

  test('the refusal names the limit and the seconds to wait', () => {
    const { code, status, params } = limitRefusal(ofToken as never, 12)
    expect({ code, status, params }).toEqual({
      ...{ code: 'relay.token_rate_limited', status: 429 },
      params: { count: 5, success: 3, period: 60, at_once: 0, seconds: 12 },
    } as never)
  })
})
