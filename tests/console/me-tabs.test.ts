/** The order of the personal settings, and the tab of rewards. */
import { expect, test } from 'bun:test'
import { setOption } from '../support/app/options.ts'
import { setUp, visitor } from '../support/people/person.ts'

await setUp()

test('rewards are a tab of their own, which ends with the last reward, and old addresses lead there', async () => {
  const ann = await visitor()
  const shown = async (path: string) => {
    const html = await (await ann.page(path)).text()
    return [html.includes('href="/app/me?tab=rewards"'), /\/register\?aff=[0-9A-Za-z]{8}/.test(html)]
  }
  expect(await shown('/app/me')).toEqual([true, false])
  expect(await shown('/app/me?tab=rewards')).toEqual([true, true])
  expect(await shown('/app/me?open=invitees')).toEqual([true, true])
  await setOption('AffEnabled', false)
  expect(await shown('/app/me?tab=rewards')).toEqual([false, false])
  await setOption('AffEnabled', true)
})

test('profile, password and the offered ways to sign in come first', async () => {
  const ann = await visitor()
  const html = await (await ann.page('/app/me')).text()
  const heads = ['>Profile</h2>', 'Set a password', '>Models you can use</h2>', 'System access token', 'Delete account']
  const places = heads.map(head => html.indexOf(head))
  expect(heads.filter(head => !html.includes(head))).toEqual([])
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(html.includes('GitHub')).toBe(false)
  await setOption('GitHubClientId', 'Iv1.client')
  await setOption('GitHubClientSecret', 'secret')
  await setOption('GitHubOAuthEnabled', true)
  expect((await (await ann.page('/app/me')).text()).includes('Connect GitHub')).toBe(true)
  await setOption('GitHubOAuthEnabled', false)
})
