// @engine sqlite
/** The browser that the test files of a run share: what one of them sees of another, and what a crash leaves. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connected } from './support/browser/chromium.ts'
import { type SharedBrowser, startBrowser } from './support/runner/shared-browser.ts'
import { until } from './support/until.ts'

const address = join(tmpdir(), 'address')
let shared: SharedBrowser
beforeAll(async () => {
  shared = await startBrowser(address)
})
afterAll(() => shared.stop())

test('a connection sees no context of another, and its end leaves the other pages open', async () => {
  const one = await connected(address)
  const page = await one.newPage()
  await page.setContent('<h1>open</h1>')
  const other = await connected(address)
  expect(other.contexts()).toEqual([])
  await other.newPage()
  expect(one.contexts()).toHaveLength(1)
  await other.close()
  expect(await page.textContent('h1')).toBe('open')
  await one.close()
  const next = await connected(address)
  expect(next.contexts()).toEqual([])
  await next.close()
})

test('a browser that crashed is started anew', async () => {
  const crashed = shared.pid()
  process.kill(crashed, 'SIGKILL')
  await until(() => shared.pid() !== crashed)
  const page = await (await connected(address)).newPage()
  await page.setContent('<h1>again</h1>')
  expect(await page.textContent('h1')).toBe('again')
})
