// @engine sqlite
// @tier long
/** The program, started in an empty folder, signs users in as a login provider and a passkey vouch for them. */
import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { setUpAt, signInAt } from '../support/app/installation.ts'
import { startServer } from '../support/app/server.ts'
import { launched, STEP_TIMEOUT_MS } from '../support/browser/chromium.ts'
import { named, plugIn } from '../support/browser/security-key.ts'
import { openIdOptions, startOpenIdProvider } from '../support/oauth/oidc-provider.ts'

const server = await startServer({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } })
const site = named(server.url)
const provider = await startOpenIdProvider([`${site}/oauth/oidc`])
afterAll(async () => {
  await server.stop('SIGKILL')
  provider.stop()
})

async function configureOpenId() {
  await setUpAt(server)
  const { headers } = await signInAt(server)
  for (const [key, value] of Object.entries(openIdOptions(provider))) {
    const body = JSON.stringify({ key, value })
    const response = await fetch(`${server.url}/api/option/`, { method: 'PUT', headers, body })
    expect(await response.json()).toMatchObject({ success: true })
  }
}

/** Who the session of the browser belongs to; undefined for a visitor. */
async function userIn(page: Page): Promise<string | undefined> {
  await page.goto(`${site}/app/me`)
  if (new URL(page.url()).pathname !== '/app/me') return undefined
  return page.getByLabel('Username').inputValue()
}

test('the executable signs a user in by OIDC over http on loopback, and then by the passkey that the user adds', async () => {
  await configureOpenId()
  provider.visitor = { sub: 'subject-1', preferred_username: 'mira', name: 'Mira' }
  const page = await (await launched()).newPage({ locale: 'en' })
  page.setDefaultTimeout(STEP_TIMEOUT_MS)
  await plugIn(page)
  await page.goto(`${site}/login`)
  await page.getByRole('link', { name: 'Company SSO' }).click()
  await page.waitForURL('**/app/tokens')
  expect(await userIn(page)).toBe('mira')

  await page.goto(`${site}/app/me/security`)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Keep these recovery codes').waitFor()
  await page.context().clearCookies()
  expect(await userIn(page)).toBeUndefined()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/app/me')
  expect(await userIn(page)).toBe('mira')
})
