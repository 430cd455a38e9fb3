/** The server reads an OpenID provider's addresses for the settings: guarded, capped, and never stored by itself. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { option } from '../../src/domain/options/service.ts'
import { setEnv } from '../support/env.ts'
import { hurry } from '../support/hurry.ts'
import { accidentCauses, startDocumentServer } from '../support/outside/document-server.ts'
import { setUp, visitor } from '../support/people/person.ts'

const WELL_KNOWN = '/.well-known/openid-configuration'
const FAILED = 'Failed to fetch the OIDC configuration, check network and Well-Known URL: '

const root = await setUp()
const provider = startDocumentServer()
afterAll(() => provider.stop())

const document = {
  issuer: provider.url,
  authorization_endpoint: `${provider.url}/authorize`,
  token_endpoint: `${provider.url}/token`,
  userinfo_endpoint: `${provider.url}/userinfo`,
  jwks_uri: `${provider.url}/jwks`,
}

beforeEach(() => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  provider.seen.length = 0
  provider.documents.clear()
  provider.documents.set(WELL_KNOWN, document)
})

const discover = (well_known: unknown, language: 'en' | 'zh' = 'en') =>
  root.post('/api/option/oidc_discovery', { well_known }, { language })

test('OIDC discovery answers with the three addresses of the provider and stores none', async () => {
  expect(await discover(` ${provider.url}${WELL_KNOWN} `)).toMatchObject({
    success: true,
    data: {
      authorization_endpoint: document.authorization_endpoint,
      token_endpoint: document.token_endpoint,
      user_info_endpoint: document.userinfo_endpoint,
    },
  })
  expect(option('oidc.authorization_endpoint')).toBe('')
})

test('OIDC discovery accepts a provider without a user info endpoint', async () => {
  const { userinfo_endpoint: _, ...others } = document
  provider.documents.set(WELL_KNOWN, others)
  expect((await discover(provider.url + WELL_KNOWN)).data).toMatchObject({ user_info_endpoint: '' })
})

test.each(['', 'id.example', 'ftp://id.example', 'javascript:alert(1)', 'file:///etc/passwd', 5, null])(
  'OIDC discovery refuses the address %j at its field',
  async well_known => {
    expect(await discover(well_known)).toMatchObject({
      ...{ status: 400, success: false, field: 'well_known' },
      message: 'Enter the Well-Known URL: it starts with http:// or https://',
    })
  },
)

test.each(accidentCauses)('OIDC discovery from %s fails with its cause', async (path, cause) => {
  using _ = path === '/slow' ? hurry() : undefined
  expect(await discover(provider.url + path)).toMatchObject({
    ...{ status: 400, success: false, code: 'oauth.discovery_failed', field: 'well_known' },
    message: FAILED + cause,
  })
  expect(provider.seen).toEqual([path])
})

test.each([
  ['authorization_endpoint', undefined],
  ['token_endpoint', undefined],
  ['token_endpoint', 'javascript:alert(1)'],
  ['userinfo_endpoint', 'data:text/html,x'],
  ['issuer', 5],
])('OIDC discovery refuses a document whose %s is %j', async (name, value) => {
  provider.documents.set(WELL_KNOWN, { ...document, [name]: value })
  expect((await discover(provider.url + WELL_KNOWN)).message).toBe(`${FAILED}the response lacks what is needed`)
})

test('OIDC discovery refuses the document of another issuer, with which no one could sign in', async () => {
  provider.documents.set(WELL_KNOWN, { ...document, issuer: 'https://other.example' })
  expect((await discover(provider.url + WELL_KNOWN)).message).toBe(`${FAILED}the document belongs to another issuer`)
})

test('OIDC discovery reaches no private address that OUTBOUND_ALLOW does not open', async () => {
  setEnv({ OUTBOUND_ALLOW: [] })
  const cause = 'the address is not public; the environment variable OUTBOUND_ALLOW opens it'
  for (const address of [
    provider.url + WELL_KNOWN,
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://10.0.0.1/',
  ])
    expect(await discover(address)).toMatchObject({ status: 400, message: FAILED + cause })
  expect((await discover(provider.url, 'zh')).message).toBe(
    '获取 OIDC 配置失败，请检查网络和 Well-Known URL：该地址不是公网地址，可用环境变量 OUTBOUND_ALLOW 放行',
  )
  expect(provider.seen).toEqual([])
})

test('OIDC discovery is root’s', async () => {
  const admin = await visitor(Role.admin)
  const body = { well_known: provider.url + WELL_KNOWN }
  expect(await admin.post('/api/option/oidc_discovery', body)).toMatchObject({ status: 403 })
  expect(provider.seen).toEqual([])
})
