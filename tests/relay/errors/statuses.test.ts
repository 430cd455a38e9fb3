/** Each status and wording of an upstream: what the client gets, whether another channel is tried, and what rests. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../../src/cluster/invalidation.ts'
import { ChannelStatus } from '../../../src/contracts/channel.ts'
import { db } from '../../../src/db/database.ts'
import { channels } from '../../../src/domain/channels/table.ts'
import { healthOf } from '../../../src/domain/routing/index.ts'
import { holdClock, shiftClock } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { channelNow } from '../../support/upstream/channel.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { answers } from '../../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../../support/upstream/openai.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'

const IN_A_ROW = 5
const FIRST_COOLDOWN = 5
const KEYS = 'sk-number-one,sk-number-two'
const [SATURATED, REFUSED] = ['The upstream load of this group is saturated', 'The upstream rejected this gateway']
/** A phrase of `AutomaticDisableKeywords`, not at the start. */
const CLOSING_WORDS = 'It failed: you exceeded your current quota'

let ann: Client

beforeEach(async () => {
  holdClock(true)
  // Retries are there again.
  shiftClock(10)
  await setOption('RetryTimes', 3)
  await setOption('AutomaticDisableChannelEnabled', false)
  await deleteChannels()
  ann = await client()
})
afterEach(() => holdClock(false))
afterAll(() => setOption('AutomaticDisableChannelEnabled', false))

/** `nothing`: a failure that stops no call; `no failure`: it is the request's. */
type Rests = 'channel' | 'model' | 'account' | 'nothing' | 'no failure'

interface Row {
  /** For the client. */
  status: number
  code?: string
  message?: string
  retried?: boolean
  rests?: Rests
  /** `x-should-retry: false` where no other channel is left. */
  final?: boolean
}

const ofRequest = { rests: 'no failure', final: true } as const
const ofAccount = { status: 502, code: 'upstream_refused', message: REFUSED, rests: 'account', final: true } as const

const statuses: Record<number, Row> = {
  400: { ...ofRequest, status: 400, retried: false },
  401: ofAccount,
  402: ofAccount,
  403: ofAccount,
  404: { status: 404, rests: 'nothing', final: true },
  405: { ...ofRequest, status: 405 },
  408: { status: 504, retried: false },
  409: { ...ofRequest, status: 409, final: false },
  410: { status: 502 },
  413: { ...ofRequest, status: 413 },
  415: { ...ofRequest, status: 415 },
  418: { status: 502 },
  422: { ...ofRequest, status: 422 },
  425: { status: 502 },
  429: { status: 429, code: 'upstream_saturated', message: SATURATED, rests: 'model' },
  500: { status: 502 },
  501: { status: 502 },
  502: { status: 502 },
  503: { status: 503 },
  504: { status: 504, retried: false },
  520: { status: 502 },
  524: { status: 504, retried: false },
  529: { status: 503, rests: 'model' },
}

const rows = Object.entries(statuses).map(([status, row]) => [Number(status), row] as const)

const failing = (status: number, headers: Record<string, string> = {}, words = 'It failed') =>
  answers(status, errorBody(words, 'other'), headers)

/** Scope and seconds of what cools down, and the failures that the health strip counts. */
async function stateOf(id: number) {
  const { cooldown, model_cooldowns } = await channelNow(id)
  const { scope, seconds } = cooldown ?? model_cooldowns[0] ?? {}
  return { scope, seconds, failed: (await healthOf([id])).get(id)!.at(-1)!.failed }
}

const resting = (rests: Rests): string | undefined =>
  ({ channel: 'channel', model: 'model', account: 'channel', nothing: undefined, 'no failure': undefined })[rests]

test.each(rows)('status %d has its status, code and message for clients', async (status, row) => {
  const { code = 'upstream_status', message = 'It failed', final = false } = row
  const { calls } = await served(failing(status), { auto_ban: 0 })
  const response = await ann.chat()
  expect(response.headers.get('x-should-retry')).toBe(final ? 'false' : null)
  expect(response.headers.get('retry-after')).toBeNull()
  const error = await errorOf(response)
  const type = message === 'It failed' ? 'other' : 'upstream_error'
  expect(error).toEqual({ status: row.status, code, type, param: null, message: expect.stringContaining(message) })
  expect(calls()).toBe(1)
})

test.each(rows)('status %d lets the next channel serve or ends the call', async (status, { retried = true }) => {
  const first = await served(failing(status), { priority: 5 })
  const second = await served(chat())
  expect((await ann.chat()).status === 200).toBe(retried)
  expect([first.calls(), second.calls()]).toEqual([1, retried ? 1 : 0])
})

test.each(rows)('status %d five times in a row begins the cooldown of its scope', async (status, row) => {
  const { rests = 'channel' } = row
  const { id } = await served(failing(status), { auto_ban: 0 })
  const failed = (times: number) => (rests === 'no failure' ? 0 : times)
  for (let turn = 1; turn < IN_A_ROW; turn++) await ann.chat()
  expect(await stateOf(id)).toEqual({ scope: undefined, seconds: undefined, failed: failed(IN_A_ROW - 1) })
  await ann.chat()
  const scope = resting(rests)
  expect(await stateOf(id)).toEqual({ scope, seconds: scope && FIRST_COOLDOWN, failed: failed(IN_A_ROW) })
})

test.each(rows)('status %d with a Retry-After begins a cooldown of that length', async (status, row) => {
  const { rests = 'channel' } = row
  const { id } = await served(failing(status, { 'retry-after': '45' }), { auto_ban: 0 })
  expect((await ann.chat()).headers.get('retry-after')).toBe('45')
  const scope = resting(rests)
  expect(await stateOf(id)).toEqual({ scope, seconds: scope && 45, failed: rests === 'no failure' ? 0 : 1 })
})

test.each(rows)('status %d stops one of several keys at once where it is about the key', async (status, row) => {
  const ofKey = row.rests === 'account' || row.rests === 'model' ? status !== 529 : false
  const { id, calls } = await served(failing(status), { auto_ban: 0, key: KEYS })
  await ann.chat()
  expect(calls()).toBe(ofKey ? 2 : 1)
  const scope = ofKey ? (row.rests === 'account' ? 'key' : 'model') : undefined
  expect(await stateOf(id)).toMatchObject({ scope, seconds: scope && FIRST_COOLDOWN })
})

test.each(rows)('status %d alone, and with words of the operator, closes its channel or not', async (status, row) => {
  await setOption('AutomaticDisableChannelEnabled', true)
  for (const [words, closes] of [
    ['It failed', status === 401],
    [CLOSING_WORDS, row.rests !== 'no failure'],
  ] as const) {
    const { id } = await served(failing(status, {}, words))
    await ann.chat()
    expect((await channelNow(id)).status).toBe(closes ? ChannelStatus.autoDisabled : ChannelStatus.enabled)
    await deleteChannels()
  }
})

type Worded = [words: string, scope: string, status: number, type?: string, code?: string]

const words: Worded[] = [
  ...['Overloaded', 'No capacity', 'High demand', 'high traffic', 'high load', 'I am BUSY', 'not ready'].map(
    (text): Worded => [text, 'model', 503],
  ),
  ['服务繁忙', 'model', 503],
  ['负载过载', 'model', 503],
  ['It failed', 'model', 503, 'overloaded_error'],
  ['The busybody failed', 'channel', 503],
  ['Overloaded', 'channel', 500, 'overloaded_error'],
  ['Rate limit reached', 'model', 429],
  ['Your account limit', 'model', 429],
  ...['organization max', 'account max', 'user max', 'spending cap', '余额', '欠费', '账户', '使用上限'].map(
    (text): Worded => [text, 'channel', 429],
  ),
  ...['spend', 'spending', 'credit', 'balance', 'weekly', 'monthly', 'usage'].flatMap(kind =>
    [' limit', '-cap', ' quota'].map((text): Worded => [`Your ${kind}${text} is reached`, 'channel', 429]),
  ),
  [`The usage limit of ${MODEL} is reached`, 'model', 429],
  ...['insufficient_quota', 'billing_hard_limit_reached', 'quota_exceeded', 'Arrearage'].flatMap((name): Worded[] => [
    [`The limit of ${MODEL}`, 'channel', 429, 'other', name],
    [`The limit of ${MODEL}`, 'channel', 429, name],
  ]),
]

test.each(words)('the words %s rest the %s under status %d, type %s, code %s', async (...row) => {
  const [text, scope, status, type = 'other', code = null] = row
  const { id } = await served(answers(status, errorBody(text, type, code), { 'retry-after': '45' }), { auto_ban: 0 })
  await ann.chat()
  expect(await stateOf(id)).toEqual({ scope, seconds: 45, failed: 1 })
})

test.each([
  ['insufficient_quota', 'other', 'false'],
  ['insufficient_user_quota', 'other', 'false'],
  ['other', 'billing_hard_limit_reached', 'false'],
  ['other', 'billing_not_active', 'false'],
  ['other', 'Arrearage', 'false'],
  ['other', 'insufficient_quota', null],
  ['other', 'quota_exceeded', null],
])('a limit of type %s and code %s has x-should-retry %s', async (type, code, hint) => {
  await served(answers(429, errorBody('It failed', type, code)), { auto_ban: 0 })
  expect((await ann.chat()).headers.get('x-should-retry')).toBe(hint)
})

test.each([
  ['399', 502, 'upstream_status'],
  ['400', 400, 'upstream_status'],
  ['401', 401, 'upstream_refused'],
  ['402', 402, 'upstream_refused'],
  ['403', 403, 'upstream_refused'],
  ['429', 429, 'upstream_saturated'],
  ['599', 599, 'upstream_status'],
  ['600', 502, 'upstream_status'],
])('a mapping of 500 to %s answers %d with code %s', async (mapped, status, code) => {
  const { id } = await served(failing(500))
  // As an older version may have stored it: a form refuses what is no failure.
  const status_code_mapping = JSON.stringify({ 500: mapped })
  await db.update(channels).set({ status_code_mapping }).where(eq(channels.id, id))
  invalidate('channels')
  const error = await errorOf(await ann.chat())
  expect(error).toMatchObject({ status, code })
  expect(error.message.includes('It failed')).toBe(code === 'upstream_status')
  if (code !== 'upstream_status') return
  await setOption('global.hide_upstream_error_enabled', true)
  const hidden = status === 502 ? 500 : status
  expect((await errorOf(await ann.chat())).message).toStartWith(`Upstream error with status code ${hidden} `)
  await setOption('global.hide_upstream_error_enabled', false)
})
