/** Commands of operators beside a running server and between two runs. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { digest } from '../../src/crypto/sealing.ts'
import { setUpInstallation, signInAt, startAt, startupErrorOf } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'

test("administrative changes are in the audit log; reset-password ends the user's sessions on a running server", async () => {
  const place = await setUpInstallation()
  const server = await startAt(place)
  const { headers } = await signInAt(server)
  const change = { method: 'PUT', headers, body: '{"key":"CheckInQuota","value":5}' }
  const changed = await fetch(`${server.url}/api/option/`, change)
  expect(changed.status).toBe(200)
  const id = changed.headers.get('x-request-id')
  const audited = await fetch(`${server.url}/api/audit/`, { headers })
  const [entry] = ((await audited.json()) as { data: { items: object[] } }).data.items
  expect(entry).toMatchObject({ action: 'option.change', actor_name: 'root', request_id: id })
  await place.change(`update users set access_token_hash = '${digest('of-root')}' where id = 1`)
  const byToken = { authorization: 'of-root', 'tollgate-user': '1' }
  const selfBy = async (as: Record<string, string>) =>
    (await fetch(`${server.url}/api/user/self`, { headers: as })).status
  expect([await selfBy(headers), await selfBy(byToken)]).toEqual([200, 200])

  const { code, out } = await run(['reset-password', 'root'], place)
  expect(code).toBe(0)
  expect([await selfBy(headers), await selfBy(byToken)]).toEqual([401, 401])
  expect((await signInAt(server)).success).toBe(false)
  expect((await signInAt(server, { password: out.trim() })).success).toBe(true)
  expect(await startupErrorOf(['reset-password', 'nobody'], place)).toBe('tollgate: there is no user nobody')
  expect(await startupErrorOf(['reset-password'], place)).toBe(
    'tollgate: usage: tollgate reset-password NAME [--lift-second-factor]',
  )
  await place.change('update users set deleted_time = 1 where id = 1')
  expect(await startupErrorOf(['reset-password', 'root'], place)).toBe('tollgate: there is no user root')
})

test('reset-password lifts the second factor on demand, and is written to the audit log', async () => {
  const place = await setUpInstallation()
  const server = await startAt(place)
  await place.change("insert into authenticators (user_id, secret, confirmed_time, created_time) values (1, '', 1, 1)")
  const reset = async (...flags: string[]) => (await run(['reset-password', 'root', ...flags], place)).out.trim()
  expect((await signInAt(server, { password: await reset() })).success).toBe(false)
  const password = await reset('--lift-second-factor')
  const { success, headers } = await signInAt(server, { password })
  expect(success).toBe(true)
  const factors = await fetch(`${server.url}/api/user/second-factors`, { headers })
  expect(await factors.json()).toMatchObject({ data: { authenticator: false, passkeys: [], recovery_codes: 0 } })
  const entries = await place.read('select actor_name, action, target_name, after from audit_log order by id')
  const common = { actor_name: 'system', action: 'user.reset_password', target_name: 'root' }
  const after = (row: { after: string }) => ({ ...row, after: JSON.parse(row.after) })
  expect(entries.map(row => after(row as { after: string }))).toEqual([
    { ...common, after: { password: 'changed' } },
    { ...common, after: { password: 'changed', second_factor: 'lifted' } },
  ])
  expect(await startupErrorOf(['reset-password', 'root', '--lift'], place)).toContain('usage:')
})

test('a database sealed with another key is refused', async () => {
  const place = await setUpInstallation()
  const server = await startAt(place)
  const { headers } = await signInAt(server)
  for (const name of ['one', 'other']) {
    const body = JSON.stringify({ name })
    expect((await fetch(`${server.url}/api/token/`, { method: 'POST', headers, body })).status).toBe(200)
  }
  await server.stop()

  const other = { ...place, env: { ...place.env, SECRET_KEY: 'not the key of this place' } }
  expect(await startupErrorOf(['serve'], other)).toBe(
    'tollgate: this database was encrypted with another secret key; set SECRET_KEY (all nodes need the same), or restore secret.key',
  )
  const key = join(place.folder, 'secret.key')
  const kept = await Bun.file(key).text()
  await Bun.write(key, '')
  expect(await startupErrorOf(['serve'], place)).toBe(
    `tollgate: cannot use the secret key in ${key}: it is empty or cut short`,
  )
  await Bun.write(key, kept)
  await place.change("update tokens set key_sealed = 'v1:AAAA' where name = 'one'")
  await startAt(place)
})

test('reset-password restores access for a locked-out root', async () => {
  const place = await setUpInstallation()
  const server = await startAt(place)
  const { headers } = await signInAt(server)
  await place.change(
    "insert into passkeys (id, user_id, name, public_key, created_time) values ('lost', 1, 'lost', 'x', 1)",
  )
  const body = '{"key":"PasswordLoginEnabled","value":false}'
  await fetch(`${server.url}/api/option/`, { method: 'PUT', headers, body })
  expect((await signInAt(server)).success).toBe(false)
  await server.stop()
  await place.change('delete from passkeys')
  const { out, err } = await run(['reset-password', 'root'], place)
  expect(err).toBe('password login was disabled and is now enabled; restart a running server\n')
  expect((await signInAt(await startAt(place), { password: out.trim() })).success).toBe(true)
})

test('sign-in-link prints a link that makes a browser known and opens no session', async () => {
  const place = await setUpInstallation()
  const server = await startAt(place)
  const { code, out } = await run(['sign-in-link', 'ROOT'], place)
  const link = new URL(out.trim())
  expect([code, link.pathname, link.searchParams.get('user')]).toEqual([0, '/login/link', '1'])
  const opened = await fetch(server.url + link.pathname + link.search, { redirect: 'manual' })
  const cookies = opened.headers.getSetCookie().map(cookie => cookie.split('=')[0])
  expect([opened.status, cookies.sort()]).toEqual([303, ['known-1', 'notice']])
  expect(await startupErrorOf(['sign-in-link', 'nobody'], place)).toBe('tollgate: there is no user nobody')
  expect(await startupErrorOf(['sign-in-link'], place)).toBe('tollgate: usage: tollgate sign-in-link NAME')
})
