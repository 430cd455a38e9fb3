// @engine sqlite
/** The month that a demo shows, read as its administrator reads it, and what is left of it. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { newInstallation, outputMatching, signInAt, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { until } from '../support/until.ts'

const DAY_SECONDS = 86_400
const USD = 500_000
/** Without calls by its own choice. */
const DISABLED = 'xai-exclusive'
const idleBars = /class="idle" d="([^"]*)"/
/** The present hour, which may have just begun. */
const lastBar = 'M115 16v-2h4v2z'

test('the demo is busy: calls, spending, users, retries and health of the last days; clean books, no files left', async () => {
  const place = await newInstallation()
  const server = await startAt(place, { args: ['demo'], env: { TMPDIR: place.folder } })
  const [, username = '', password = ''] = await outputMatching(server, /Sign in as (\S+) \/ (\S+)/)
  const { success, headers } = await signInAt(server, { username, password })
  expect(success).toBe(true)
  const get = async <T>(path: string) => {
    const response = await fetch(server.url + path, { headers })
    return (await response.json()) as { data: T }
  }
  const end = Math.floor(Date.now() / 1000)
  for (const days_ago of [1, 2]) {
    const [from, to] = [end - days_ago * DAY_SECONDS, end - (days_ago - 1) * DAY_SECONDS - 1]
    const range = `type=2&start_timestamp=${from}&end_timestamp=${to}`
    const { data: stat } = await get<{ quota: number }>(`/api/log/stat?${range}`)
    const { data: calls } = await get<{ total: number }>(`/api/log/?${range}&page_size=1`)
    expect(calls.total).toBeWithin(1800, 2300)
    expect(stat.quota / USD).toBeWithin(150, 215)
  }
  await until(async () => (await get<{ rpm: number }>('/api/log/stat')).data.rpm >= 2)

  interface Entry {
    username: string
    prompt_tokens: number
    other: string
  }
  const newest = await get<{ items: Entry[] }>(`/api/log/?type=2&end_timestamp=${end}&page_size=100`)
  const entries = newest.data.items
  // The tasks of the start and of the traffic come first.
  const details = entries.slice(0, 30).map(({ other }) => other)
  expect(details).toContainEqual(expect.stringMatching(/"attempts":\[\{[^\]]*\},\{/))
  expect(entries.filter(({ prompt_tokens }) => prompt_tokens >= 5000).length).toBeGreaterThan(50)
  expect(Math.max(...entries.map(entry => entry.prompt_tokens))).toBeLessThan(200_000)

  const { data: users } = await get<{ items: { used_quota: number }[] }>('/api/user/?page_size=100')
  expect(users.items.filter(user => user.used_quota > USD)).toHaveLength(12)

  const page = await (await fetch(`${server.url}/admin/channels?page_size=100`, { headers })).text()
  const idle = page
    .split('<tr')
    .filter(row => row.includes('health-strip') && !row.includes(DISABLED))
    .map(row => idleBars.exec(row)?.[1] ?? lastBar)
    .filter(bars => bars !== lastBar)
  expect([page.includes(DISABLED), idle]).toEqual([true, []])

  const [folder = ''] = readdirSync(place.folder).filter(name => name.startsWith('tollgate-demo-'))
  const audit = await run(['audit', '--bills'], { folder: join(place.folder, folder) })
  expect(audit).toMatchObject({ code: 0, out: expect.stringMatching(/^audit: clean/), err: '' })
  expect(await server.stop()).toBe(0)
  expect(readdirSync(place.folder).filter(name => existsSync(join(place.folder, name, 'tollgate.db')))).toEqual([])
})
