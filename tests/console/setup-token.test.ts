/** The setup of an installation with a SETUP_TOKEN. */
import { beforeEach, expect, test } from 'bun:test'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { setEnv } from '../support/env.ts'
import { anyone, ROOT, signIn } from '../support/people/person.ts'

const TOKEN = 'a token of the operator'
const fields = { ...ROOT, confirmPassword: ROOT.password }

beforeEach(() => void setEnv({ SETUP_TOKEN: TOKEN }))

test.each([undefined, '', 'a token of the operato', `${TOKEN} `, 'ä'])(
  'setup refuses the token %j and creates nothing',
  async setup_token => {
    const wrong = { status: 403, success: false, field: 'setup_token', message: 'The setup token is wrong' }
    expect(await anyone.post('/api/setup', { ...fields, setup_token })).toMatchObject(wrong)
    const chinese = await anyone.post('/api/setup', { ...fields, setup_token }, { language: 'zh' })
    expect(chinese.message).toBe('初始化令牌错误')
    const form = await anyone.form('/setup', { ...fields, setup_token: setup_token ?? '', mode: 'external' })
    expect([form.status, await form.text()]).toEqual([422, expect.stringContaining('The setup token is wrong')])
    expect(await db.$count(users)).toBe(0)
  },
)

test('a wrong token is refused before the other fields are judged', async () => {
  const answer = await anyone.post('/api/setup', { ...fields, username: '', setup_token: 'x' })
  expect(answer).toMatchObject({ code: 'account.setup_token_wrong' })
})

test('the setup form asks for the token where there is one', async () => {
  const asks = async () => (await (await anyone.page('/setup')).text()).includes('name="setup_token"')
  expect(await asks()).toBe(true)
  setEnv({ SETUP_TOKEN: undefined })
  expect(await asks()).toBe(false)
})

test('the right token sets up the site and is not shown again', async () => {
  const form = await anyone.form('/setup', { ...fields, password: 'short', setup_token: TOKEN, mode: 'external' })
  expect([form.status, (await form.text()).includes(TOKEN)]).toEqual([422, false])
  const done = await anyone.form('/setup', { ...fields, setup_token: TOKEN, mode: 'external' })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/app/tokens'])
  expect((await signIn(ROOT.username, ROOT.password)).id).toBeGreaterThan(0)
})
