// @engine both
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { catalog, optionKeys } from '../../src/domain/options/catalog.ts'
import { helpOf, labelOf } from '../../src/domain/options/declare.ts'
import { loadOptions, onOptionChange, option } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { allMessages, isMessageKey } from '../../src/locales/index.ts'
import { languageCodes } from '../../src/locales/languages.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'

const save = (person: Person, key: string, value: unknown) => person.put('/api/option/', { key, value })

const shown = async (person: Person) => {
  const { data } = await person.get('/api/option/')
  return new Map(data.map((row: { key: string; value: string }) => [row.key, row.value]))
}

const stored = async (key: string) => (await db.select().from(options).where(eq(options.key, key)))[0]?.value

test('every option has both languages, a default that its own schema accepts, and a text that reads back as itself', () => {
  expect(optionKeys.length).toBeGreaterThan(110)
  for (const key of optionKeys) {
    for (const code of [labelOf(key), helpOf(key)]) {
      expect(isMessageKey(code), code).toBe(true)
      const name = code.slice('option.'.length)
      for (const language of languageCodes)
        expect(allMessages()[language].option![name], `${language} ${name}`).toBeTruthy()
    }
    const { schema, initial } = catalog[key]
    const text = schema.encode(initial)
    expect(schema.decode(text), key).toEqual(initial as string)
    expect(schema.encode(schema.decode(text)), key).toBe(text)
  }
})

test('all option keys of the specification exist', async () => {
  const named = `ServerAddress WorkerUrl PayAddress EpayId Price MinTopUp CustomCallbackAddress TopupGroupRatio
    PasswordLoginEnabled PasswordRegisterEnabled EmailVerificationEnabled RegisterEnabled TurnstileCheckEnabled
    TurnstileSiteKey GitHubOAuthEnabled GitHubClientId LinuxDOOAuthEnabled LinuxDOClientId WeChatAuthEnabled
    WeChatServerAddress WeChatAccountQRCodeImageURL TelegramOAuthEnabled TelegramBotName oidc.enabled oidc.client_id
    oidc.well_known oidc.authorization_endpoint oidc.token_endpoint oidc.user_info_endpoint
    EmailDomainRestrictionEnabled EmailAliasRestrictionEnabled EmailDomainWhitelist SMTPServer SMTPPort SMTPAccount
    SMTPFrom SMTPSSLEnabled Notice SystemName Logo Footer About HomePageContent custom_head_html global_css global_js
    TopUpLink general_setting.docs_link QuotaPerUnit RetryTimes DisplayInCurrencyEnabled DisplayTokenStatEnabled
    DefaultCollapseSidebar DemoSiteEnabled SelfUseModeEnabled Chats DrawingEnabled MjNotifyEnabled
    MjAccountFilterEnabled MjForwardUrlEnabled MjModeClearEnabled MjActionCheckSuccessEnabled CheckSensitiveEnabled
    CheckSensitiveOnPromptEnabled SensitiveWords LogConsumeEnabled LogChatContentEnabled LogErrorEnabled
    DataExportEnabled DataExportInterval DataExportDefaultTime ChannelDisableThreshold QuotaRemindThreshold
    AutomaticDisableChannelEnabled AutomaticEnableChannelEnabled AutomaticDisableKeywords QuotaForNewUser
    PreConsumedQuota QuotaForInviter QuotaForInvitee CheckInEnabled CheckInQuota CheckInMaxQuota RebateEnabled
    RebatePercentage AffEnabled ModelPrice ModelRatio CompletionRatio CacheRatio GroupRatio UserUsableGroups
    fallback_pricing_enabled fallback_single_price fallback_input_ratio fallback_completion_ratio
    ModelRequestRateLimitEnabled ModelRequestRateLimitCount ModelRequestRateLimitSuccessCount
    ModelRequestRateLimitDurationMinutes gemini.safety_settings gemini.version_settings
    gemini.supported_imagine_models gemini.thinking_adapter_enabled gemini.thinking_adapter_budget_tokens_percentage
    gemini.models_supported_thinking_budget claude.model_headers_settings claude.default_max_tokens
    claude.thinking_adapter_enabled claude.thinking_adapter_budget_tokens_percentage
    global.pass_through_request_enabled global.hide_upstream_error_enabled global.block_browser_extension_enabled
    global.rate_limit_exempt_enabled global.rate_limit_exempt_group global.safe_check_exempt_enabled
    global.safe_check_exempt_group general_setting.ping_interval_enabled general_setting.ping_interval_seconds`
  const rows = await shown(await visitor(Role.admin))
  expect(named.split(/\s+/).filter(key => !rows.has(key))).toEqual([])
  expect([...rows.values()].filter(value => typeof value !== 'string')).toEqual([])
  expect(rows.get('Price')).toBe('7.3')
  expect(rows.get('QuotaPerUnit')).toBe('500000')
  expect(rows.get('SMTPPort')).toBe('587')
  expect(rows.get('TopupGroupRatio')).toBe('{"default":1,"vip":1,"svip":1}')
})

test('only administrators read and write options', async () => {
  const ann = await visitor()
  expect(await anyone.get('/api/option/')).toMatchObject({ status: 401, success: false })
  expect(await ann.get('/api/option/')).toMatchObject({ status: 403, success: false })
  expect(await save(ann, 'RetryTimes', '3')).toMatchObject({ status: 403 })
  expect(option('RetryTimes')).toBe(0)
})

test('a saved option applies at once, for every user, and after a restart', async () => {
  const admin = await visitor(Role.admin)
  let changes = 0
  onOptionChange(() => changes++)
  expect((await anyone.get('/api/status')).data.check_in_enabled).toBe(false)

  expect(await save(admin, 'CheckInEnabled', true)).toMatchObject({ status: 200, success: true })
  expect(await save(admin, 'CheckInQuota', 2500)).toMatchObject({ success: true })
  expect(await save(await setUp(), 'EmailDomainWhitelist', ' Example.com, test.org ')).toMatchObject({ success: true })
  expect(changes).toBe(3)

  expect(option('CheckInQuota')).toBe(2500)
  expect(option('EmailDomainWhitelist')).toEqual(['example.com', 'test.org'])
  expect((await anyone.get('/api/status')).data.check_in_enabled).toBe(true)
  expect((await shown(admin)).get('EmailDomainWhitelist')).toBe('example.com,test.org')

  await loadOptions()
  expect(option('CheckInEnabled')).toBe(true)
  expect(option('CheckInQuota')).toBe(2500)
})

test('the options that need root refuse an administrator with insufficient permission', async () => {
  const [root, admin] = [await setUp(), await visitor(Role.admin)]
  for (const [key, value] of [
    ['SMTPServer', 'mail.example.com'],
    ['SMTPToken', 'secret'],
    ['ServerAddress', 'https://gate.example.com'],
    ['Price', '8'],
    ['GitHubClientId', 'client'],
    ['global_js', 'alert(1)'],
    ['Footer', '<b>hello</b>'],
    ['Notice', 'hello'],
    ['About', 'hello'],
    ['HomePageContent', 'hello'],
    ['custom_head_html', '<script>alert(1)</script>'],
    ['global_css', 'a{}'],
    ['SelfUseModeEnabled', 'true'],
  ] as const) {
    const refused = await save(admin, key, value)
    expect([key, refused.status, refused.message]).toEqual([key, 403, 'Insufficient permission'])
    expect(await stored(key), key).toBe(key === 'SelfUseModeEnabled' ? 'false' : undefined)
    expect(await save(root, key, value), key).toMatchObject({ success: true })
  }
  await save(root, 'SelfUseModeEnabled', 'false')
})

test('options of login providers, mail, payment, scripts, proxies and secrets need root, however they are spelled', async () => {
  const [root, admin] = [await setUp(), await visitor(Role.admin)]
  const powerful =
    /^(oidc\.|GitHub|LinuxDO|WeChat|Telegram|SMTP|Epay|PayAddress|Price$|MinTopUp|CustomCallback|TopupGroup|Worker|global_(js|css)|custom_head|Footer|About|HomePage|Notice|ServerAddress|AdminTwoFactor|SelfUse|DemoSite|Turnstile|Email|Password(Login|Register)|RegisterEnabled)/
  const keys = optionKeys.filter(key => powerful.test(key) || catalog[key].secret)
  expect(keys.length).toBeGreaterThan(50)
  const before = await db.select().from(options).orderBy(options.key)
  for (const key of keys) {
    for (const spelling of [key, key.toUpperCase(), key.toLowerCase(), ` ${key}`, `${key}\u200b`, [key]]) {
      const { status, success } = await admin.put('/api/option/', { key: spelling, value: 'https://evil.example' })
      const refusals = spelling === key ? [403] : [400, 403, 404]
      expect([spelling, success, refusals.includes(status)]).toEqual([spelling, false, true])
    }
  }
  expect(await db.select().from(options).orderBy(options.key)).toEqual(before)
  for (const key of ['constructor', '__proto__', 'toString'])
    expect([key, (await root.put('/api/option/', { key, value: 'x' })).success]).toEqual([key, false])
})

test('a secret is sealed, never shown, and kept when a blank one is sent', async () => {
  const root = await setUp()
  await save(root, 'EpayKey', 'merchant-secret')
  expect(await stored('EpayKey')).not.toContain('merchant-secret')
  for (const blank of ['', '  ']) {
    expect(await save(root, 'EpayKey', blank)).toMatchObject({ success: true })
    expect(option('EpayKey')).toBe('merchant-secret')
  }
  await loadOptions()
  expect(option('EpayKey')).toBe('merchant-secret')

  const answer = await (await root.fetch('/api/option/')).text()
  expect(answer).not.toContain('merchant-secret')
  const rows = await shown(root)
  for (const key of optionKeys) expect(rows.has(key), key).toBe(!catalog[key].secret)
  expect(optionKeys.filter(key => catalog[key].secret).sort()).toEqual([
    'EpayKey',
    'GitHubClientSecret',
    'LinuxDOClientSecret',
    'SMTPToken',
    'TelegramBotToken',
    'TryItKey',
    'TurnstileSecretKey',
    'WeChatServerToken',
    'WorkerValidKey',
    'oidc.client_secret',
  ])
})

test('resetting the model ratios brings back the built-in ones and touches nothing else', async () => {
  const admin = await visitor(Role.admin)
  await save(admin, 'ModelRatio', '{"only-this": 7}')
  await save(admin, 'CompletionRatio', '{"only-this": 2}')
  expect(option('ModelRatio')).toEqual({ 'only-this': 7 })
  expect(await admin.post('/api/option/rest_model_ratio')).toMatchObject({ success: true })
  expect(option('ModelRatio')['gpt-4o']).toBe(1.25)
  expect(option('ModelRatio')['only-this']).toBeUndefined()
  expect(option('CompletionRatio')).toEqual({ 'only-this': 2 })
})

test('invalid stored options are replaced by their defaults at the start', async () => {
  await setUp()
  await db.insert(options).values([
    { key: 'MinTopUp', value: 'a lot' },
    { key: 'SMTPToken_of_an_older_version', value: 'x' },
  ])
  await db.update(options).set({ value: 'not sealed at all' }).where(eq(options.key, 'EpayKey'))
  await loadOptions()
  expect(option('MinTopUp')).toBe(1)
  expect(option('EpayKey')).toBe('')
})
