/** The demo that is pictured and measured, and its readers. */
import { type BrowserContext, request } from 'playwright'
import { DEMO_ROOT, DEMO_USER } from '../../src/commands/demo/site.ts'
import { startServer } from '../support/app/server.ts'
import { FOUNDER, type Reader, type Screen } from './screen.ts'

export const readers: Reader[] = ['visitor', 'user', 'root']

const accounts: Record<Reader, string | undefined> = {
  visitor: undefined,
  user: DEMO_USER,
  root: DEMO_ROOT.username,
}

export const startDemo = () => startServer({ args: ['demo'] })

/** Gives a browser context the session of a reader. */
export async function signIn(context: BrowserContext, reader: Screen['reader']): Promise<void> {
  const username = reader === FOUNDER ? undefined : accounts[reader]
  if (!username) return
  const response = await context.request.post('/api/user/login', { data: { username, password: DEMO_ROOT.password } })
  if (!response.ok()) throw new Error(`${username} cannot sign in`)
}

/** The address that pages and snippets show; the demo itself listens at a port of its own. */
export async function showAddress(url: string, address: string): Promise<void> {
  const root = await request.newContext({ baseURL: url })
  await root.post('/api/user/login', { data: { username: DEMO_ROOT.username, password: DEMO_ROOT.password } })
  const headers = { 'tollgate-user': '1', origin: url }
  const response = await root.put('/api/option/', { headers, data: { key: 'ServerAddress', value: address } })
  if (!(await response.json()).success) throw new Error(await response.text())
  await root.dispose()
}
