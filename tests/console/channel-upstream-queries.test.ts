/** Model lists and balances from upstreams. Keys are sent only to their own channel's address. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { jobsDone } from '../../src/cluster/leases.ts'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { env } from '../../src/env.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'

const root = await setUp()
const admin = await visitor(Role.admin)

let answers: Record<string, unknown> = {}
const asked: { path: string; key: string | null }[] = []
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const path = new URL(request.url).pathname
    asked.push({ path, key: request.headers.get('authorization') })
    if (path === '/v1/moved') return Response.redirect('http://127.0.0.1:1/')
    return path in answers ? Response.json(answers[path]) : Response.json({ error: { message: 'no' } }, { status: 404 })
  },
})
const base_url = `http://127.0.0.1:${provider.port}`
afterAll(() => provider.stop(true))
beforeEach(() => {
  asked.length = 0
  answers = { '/v1/models': { object: 'list', data: [{ id: 'one' }, { id: 'two' }] } }
})
afterEach(() => void env.OUTBOUND_ALLOW.splice(0))

describe('models', () => {
  test('models of a channel are read with its first enabled key from its own address', async () => {
    const { id } = await makeChannel(root, { base_url, key: 'sk-first-key,sk-other-key' })
    expect(await root.get(`/api/channel/fetch_models/${id}`)).toMatchObject({ success: true, data: ['one', 'two'] })
    expect(asked).toEqual([{ path: '/v1/models', key: 'Bearer sk-first-key' }])
    expect(await root.get('/api/channel/fetch_models/999999')).toMatchObject({ status: 404 })
  })

  test('models of an unsaved channel are read with the first entered key', async () => {
    const typed = { base_url: `${base_url}/`, type: 1, key: 'sk-typed-one\nsk-typed-two' }
    expect(await root.post('/api/channel/fetch_models', typed)).toMatchObject({ data: ['one', 'two'] })
    expect(asked[0]!.key).toBe('Bearer sk-typed-one')
    asked.length = 0
    expect(await root.post('/api/channel/fetch_models', { ...typed, key: '' })).toMatchObject({
      ...{ status: 400, field: 'key', message: 'Enter a key' },
    })
    expect(asked).toEqual([])
    expect(await root.post('/api/channel/fetch_models', { ...typed, type: 9 })).toMatchObject({ success: false })
    expect(await root.post('/api/channel/fetch_models', { ...typed, base_url: 'file:///etc/passwd' })).toMatchObject({
      status: 400,
      field: 'base_url',
    })
  })

  test('models are never read from another address with a stored key', async () => {
    const { id, key } = await makeChannel(root, { base_url: 'http://127.0.0.1:1', key: 'sk-kept-and-secret' })
    await root.post('/api/channel/fetch_models', { id, base_url, type: 1, key: '' })
    await root.post('/api/channel/fetch_models', { id, base_url, type: 1, key })
    expect(JSON.stringify(asked)).not.toContain('sk-kept-and-secret')
  })

  test.each([
    ['says no', 1, '/nothing', /status 404/],
    ['leads elsewhere', 1, '/v1/moved?', /reached/],
    ['says something else', 1, '/odd', /read/],
  ])('models are refused when the provider %s', async (_, type, path, words) => {
    answers['/odd/v1/models'] = { hello: 1 }
    const typed = { base_url: base_url + path, type, key: 'sk-x' }
    const { success, message } = await root.post('/api/channel/fetch_models', typed)
    expect(success).toBe(false)
    expect(message).toMatch(words)
    expect(message).not.toContain('127.0.0.1')
  })

  test('models in the private network are for root, unless it is allowed', async () => {
    const { id } = await makeChannel(root, { base_url })
    const typed = { base_url, type: 1, key: 'sk-x' }
    for (const answer of [
      await admin.get(`/api/channel/fetch_models/${id}`),
      await admin.post('/api/channel/fetch_models', typed),
      await admin.post('/api/channel/fetch_models', { ...typed, base_url: `http://2130706433:${provider.port}` }),
    ]) {
      expect(answer).toMatchObject({ success: false, code: 'error.unfetchable' })
    }
    expect(asked).toEqual([])
    env.OUTBOUND_ALLOW.push('127.0.0.0/8')
    expect(await admin.get(`/api/channel/fetch_models/${id}`)).toMatchObject({ data: ['one', 'two'] })
  })
})

describe('balances', () => {
  const purse = (amount: string) => ({ balance_infos: [{ currency: 'CNY', total_balance: amount }] })
  const DEEPSEEK = 43

  test('balances of all keys are read, added and stored', async () => {
    answers['/user/balance'] = purse('12.50')
    const { id } = await makeChannel(root, { type: DEEPSEEK, base_url, key: 'sk-first-key,sk-other-key' })
    expect(await root.get(`/api/channel/update_balance/${id}/`)).toMatchObject({ success: true, data: 25, balance: 25 })
    expect(asked.map(({ key }) => key)).toEqual(['Bearer sk-first-key', 'Bearer sk-other-key'])
    expect(await storedChannel(id)).toMatchObject({ balance: 25, balance_updated_time: expect.any(Number) })
    expect((await storedChannel(id)).balance_updated_time).toBeGreaterThan(0)
  })

  test('balances without a provider API are refused', async () => {
    const { id } = await makeChannel(root, { type: 4, base_url, key: 'x' })
    expect(await root.get(`/api/channel/update_balance/${id}`)).toMatchObject({
      success: false,
      code: 'channel.not_told',
    })
    expect(await root.get('/api/channel/update_balance/999999')).toMatchObject({ status: 404 })
  })

  test('balances of all channels are read in the background; an empty one disables its channel when enabled', async () => {
    answers['/user/balance'] = purse('0.00')
    const empty = await makeChannel(root, { type: DEEPSEEK, base_url })
    const kept = await makeChannel(root, { type: DEEPSEEK, base_url, auto_ban: 0 })
    const refresh = async () => {
      expect(await admin.get('/api/channel/update_balance')).toMatchObject({ success: true })
      await jobsDone()
    }
    await refresh()
    expect((await storedChannel(empty.id)).status).toBe(1)
    await setOption('AutomaticDisableChannelEnabled', true)
    await refresh()
    await setOption('AutomaticDisableChannelEnabled', false)
    expect((await storedChannel(kept.id)).status).toBe(1)
    await flushBuffers()
    const eventsOf = async (id: number) => (await root.get(`/api/channel/${id}/history`)).data.events
    expect(await eventsOf(empty.id)).toMatchObject([{ event: 'closed', cause: 'balance' }])
    expect(await eventsOf(kept.id)).toEqual([])
    const { status, other_info } = await storedChannel(empty.id)
    expect(status).toBe(3)
    expect(JSON.parse(other_info)).toMatchObject({ status_reason: 'insufficient balance' })
  })

  test('balances of all channels are read on a schedule when enabled', async () => {
    answers['/user/balance'] = purse('12.50')
    const { id } = await makeChannel(root, { type: DEEPSEEK, base_url })
    shiftClock(3600)
    await tick()
    await jobsDone()
    expect(asked).toEqual([])
    await setOption('ChannelBalanceIntervalMinutes', 60)
    await tick()
    await jobsDone()
    expect(await storedChannel(id)).toMatchObject({ balance: 12.5 })
    await setOption('ChannelBalanceIntervalMinutes', 0)
    shiftClock(-3600)
  })
})
