// @engine both
/** Totals and rates of the usage log under its filters. */
import { beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { type LogEntry, LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { onEmptyLog, spend, write } from '../support/people/usage-log.ts'
import { makeChannel } from '../support/upstream/channel.ts'

let root: Person
let channel: number
const start = now()

beforeAll(async () => {
  holdClock(true)
  root = await setUp()
  ;({ id: channel } = await makeChannel(root))
})

test('log totals add up the filtered consumption, in whole hours and at the ends of the range', () =>
  onEmptyLog(async () => {
    const [carol, hour] = [await visitor(Role.user, 1_000_000), 3600]
    const at = start - (start % hour)
    for (const [ago, quota, model] of [
      [5 * hour - 60, 1, 'a'],
      [4 * hour - 60, 20, 'a'],
      [3 * hour, 300, 'b'],
      [60, 4000, 'a'],
      [0, 50_000, 'b'],
    ] as const) {
      await spend(carol, { quota, model, at: at - ago, input: quota, output: 1, channel_id: channel })
    }
    shiftClock(start - now())
    const stat = async (query: string) => (await carol.get(`/api/log/self/stat?${query}`)).data
    expect(await stat('')).toMatchObject({ quota: 54_321, prompt_tokens: 54_321, completion_tokens: 5 })
    expect(await stat('type=0')).toMatchObject({ quota: 54_321 })
    expect(await stat(`type=${LogType.consume}`)).toMatchObject({ quota: 54_321, completion_tokens: 5 })
    expect(await stat(`type=${LogType.error}`)).toMatchObject({ quota: 0, completion_tokens: 0 })
    expect(await stat('model_name=a')).toMatchObject({ quota: 4021, completion_tokens: 3 })
    expect(await stat('model_name=*')).toMatchObject({ quota: 54_321 })
    expect(await stat('group=default')).toMatchObject({ quota: 54_321 })
    for (const other of ['group=vip', 'token_name=none']) expect(await stat(other)).toMatchObject({ quota: 0 })
    expect(await stat(`start_timestamp=${at - 4 * hour + 60}`)).toMatchObject({ quota: 54_320 })
    expect(await stat(`start_timestamp=${at - 4 * hour + 61}`)).toMatchObject({ quota: 54_300 })
    expect(await stat(`start_timestamp=${at - 4 * hour + 60}&end_timestamp=${at - 60}`)).toMatchObject({ quota: 4320 })
    expect(await stat(`start_timestamp=${at - 4 * hour + 60}&end_timestamp=${at - 61}`)).toMatchObject({ quota: 320 })
    expect(await stat(`start_timestamp=${at - 100}&end_timestamp=${at - 50}`)).toMatchObject({ quota: 4000 })
    expect(await stat(`start_timestamp=${at}&end_timestamp=${at - 1}`)).toMatchObject({ quota: 0 })
    expect((await (await visitor()).get('/api/log/self/stat')).data.quota).toBe(0)
    expect((await root.get(`/api/log/stat?username=${carol.username}`)).data.quota).toBe(54_321)
    expect((await root.get('/api/log/stat?username=nobody')).data.quota).toBe(0)
    const through = async (id: number) => (await root.get(`/api/log/stat?channel=${id}`)).data.quota
    expect([await through(channel), await through(channel + 1)]).toEqual([54_321, 0])
  }))

test('log totals of another type than consumption add up its entries, in every range', () =>
  onEmptyLog(async () => {
    const usd = 500_000
    const person = await visitor(Role.user, 1_000_000)
    await spend(person, { quota: 1000, at: start - 30 })
    shiftClock(start - now())
    await write(
      person,
      { type: LogType.topUp, quota: 70 * usd, created_at: start - 20_000 },
      { type: LogType.topUp, quota: 7 * usd, created_at: start - 20, group: 'vip' },
    )
    const stat = async (query: string) => (await person.get(`/api/log/self/stat?${query}`)).data
    expect(await stat(`type=${LogType.topUp}`)).toMatchObject({ quota: 77 * usd, rpm: 1 })
    expect(await stat(`type=${LogType.topUp}&group=vip`)).toMatchObject({ quota: 7 * usd, rpm: 1 })
    expect(await stat(`type=${LogType.topUp}&end_timestamp=${start - 100}`)).toMatchObject({ quota: 70 * usd })
    expect(await stat('')).toMatchObject({ quota: 1000, rpm: 1 })
    const every = `/api/log/stat?username=${person.username}`
    expect((await root.get(`${every}&type=${LogType.topUp}`)).data).toMatchObject({ quota: 77 * usd })
    const page = await person.page(`/app/logs/api-usage?type=${LogType.topUp}&range=30d`)
    expect(await page.text()).toContain('$77.00')
  }))

test('model filters take % as a letter and * alone as any model, with and without the log', () =>
  onEmptyLog(async () => {
    const person = await visitor(Role.user, 1_000_000)
    const day = 86_400
    await spend(person, { quota: 3, model: '100%', at: start - day })
    await spend(person, { quota: 50, model: '100x', at: start - day + 1 })
    shiftClock(start - now())
    await write(person, { type: LogType.topUp, created_at: start - day + 2 })
    const filter = (text: string) => `model_name=${encodeURIComponent(text)}`
    const quota = async (text: string) => (await person.get(`/api/log/self/stat?${filter(text)}`)).data.quota
    const models = async (text: string) => {
      const { data } = await person.get(`/api/log/self/?${filter(text)}`)
      return data.items.map((entry: LogEntry) => entry.model_name)
    }
    expect(await models('100%')).toEqual(['100%'])
    expect(await models('%')).toEqual([])
    expect(await models('*')).toEqual(['', '100x', '100%'])
    expect(await models('1*')).toEqual(['100x', '100%'])
    const totals = async () => Promise.all(['100%', '%', '*', '1*', '*%'].map(quota))
    expect(await totals()).toEqual([3, 0, 53, 53, 3])
    await db.delete(logs)
    expect(await totals()).toEqual([3, 0, 53, 53, 3])
  }))

test('log rates count the last minute only', () =>
  onEmptyLog(async () => {
    const dan = await visitor(Role.user, 1_000_000)
    await spend(dan, { quota: 10, input: 7, output: 3, at: start })
    await spend(dan, { quota: 10, input: 70, output: 30, at: start + 50 })
    await write(dan, { type: LogType.error, created_at: start + 50 })
    const rates = async (query = '') => (await dan.get(`/api/log/self/stat?${query}`)).data
    expect(await rates()).toMatchObject({ rpm: 2, tpm: 110 })
    expect(await rates(`end_timestamp=${start - 1000}`)).toMatchObject({ rpm: 2, tpm: 110, quota: 0 })
    expect(await rates('token_name=none')).toMatchObject({ rpm: 0, tpm: 0 })
    shiftClock(20)
    expect(await rates()).toMatchObject({ rpm: 1, tpm: 100 })
    shiftClock(start - now())
  }))
