import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { catalog, optionKeys } from '../../src/console/options/catalog.ts'
import { helpOf, labelOf } from '../../src/console/options/declare.ts'
import { loadOptions, onOptionChange, option, publicStatus } from '../../src/console/options/service.ts'
import { options } from '../../src/console/options/table.ts'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { isSentence, sentences } from '../../src/locales/index.ts'
import { anyone, type Person, setUp, visitor } from '../support/visit.ts'

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
      expect(isSentence(code), code).toBe(true)
      const name = code.slice('option.'.length)
      for (const language of ['en', 'zh'] as const)
        expect(sentences[language].option![name], `${language} ${name}`).toBeTruthy()
    }
    const { schema, initial } = catalog[key]
    const text = schema.encode(initial)
    expect(schema.decode(text), key).toEqual(initial as string)
    expect(schema.encode(schema.decode(text)), key).toBe(text)
  }
})

test('the keys of the specification are all there', async () => {
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

test('a saved option is there at once, for everyone, and after a restart', async () => {
  const admin = await visitor(Role.admin)
  let changes = 0
  onOptionChange(() => changes++)

  expect(await save(admin, 'CheckInEnabled', true)).toMatchObject({ status: 200, success: true })
  expect(await save(admin, 'CheckInQuota', 2500)).toMatchObject({ success: true })
  expect(await save(admin, 'EmailDomainWhitelist', ' Example.com, test.org ')).toMatchObject({ success: true })
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
    ['SelfUseModeEnabled', 'true'],
  ] as const) {
    const refused = await save(admin, key, value)
    expect([key, refused.status, refused.message]).toEqual([key, 403, 'Insufficient permission'])
    expect(await stored(key), key).toBe(key === 'SelfUseModeEnabled' ? 'false' : undefined)
    expect(await save(root, key, value), key).toMatchObject({ success: true })
  }
  await save(root, 'SelfUseModeEnabled', 'false')
})

test('a secret is sealed, never shown, and kept when an empty one is sent', async () => {
  const root = await setUp()
  await save(root, 'EpayKey', 'merchant-secret')
  expect(await stored('EpayKey')).not.toContain('merchant-secret')
  expect(await save(root, 'EpayKey', '')).toMatchObject({ success: true })
  expect(option('EpayKey')).toBe('merchant-secret')
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
    'TurnstileSecretKey',
    'WeChatServerToken',
    'WorkerValidKey',
    'oidc.client_secret',
  ])
})

test.each([
  ['NoSuchOption', '1', 'There is no option NoSuchOption'],
  ['constructor', '1', 'There is no option constructor'],
  ['RetryTimes', 'many', 'RetryTimes: enter a number'],
  ['RetryTimes', '1.5', 'RetryTimes: enter a whole number'],
  ['RetryTimes', '-1', 'RetryTimes: this number is out of range'],
  ['QuotaForNewUser', '9007199254740993', 'QuotaForNewUser: this number is out of range'],
  ['QuotaForNewUser', 'NaN', 'QuotaForNewUser: enter a number'],
  ['QuotaPerUnit', '0', 'QuotaPerUnit: this number is out of range'],
  ['QuotaPerUnit', '', 'QuotaPerUnit: enter a number'],
  ['CheckInEnabled', 'yes', 'CheckInEnabled: choose on or off'],
  ['RebatePercentage', '100.1', 'The rebate percentage must be between 0 and 100'],
  ['ModelRatio', '{"gpt-4o": 1', 'ModelRatio: not a valid JSON string'],
  ['ModelRatio', '{"gpt-4o": -1}', 'ModelRatio: enter a JSON object whose values are numbers from 0 on'],
  ['ModelRatio', '{"gpt-4o": 1e999}', 'ModelRatio: enter a JSON object whose values are numbers from 0 on'],
  ['ModelRatio', '[1]', 'ModelRatio: enter a JSON object whose values are numbers from 0 on'],
  ['TopupGroupRatio', 'nonsense', 'The top-up group ratio is not a valid JSON string'],
  ['ServerAddress', 'ftp://example.com', 'ServerAddress: enter an address that begins with http:// or https://'],
  ['DataExportDefaultTime', 'month', 'DataExportDefaultTime: choose one of the offered values'],
  ['EmailDomainWhitelist', 'not a host', 'Invalid e-mail domain format, enter a valid domain such as example.com'],
  ['EmailDomainWhitelist', 'a.com,A.com', 'This domain is already in the whitelist'],
  ['SensitiveWords', 'fine\nregex:(', 'A regular expression among the sensitive words is not valid'],
  [
    'gemini.thinking_adapter_budget_tokens_percentage',
    '0.001',
    'gemini.thinking_adapter_budget_tokens_percentage: this number is out of range',
  ],
  [
    'claude.default_max_tokens',
    '{"claude-3": 10}',
    'Default maximum output: enter a JSON object of whole numbers from 1 on that includes default',
  ],
  [
    'Chats',
    '[{"Bad": "javascript:alert(1)"}]',
    'Chat sites: enter a JSON list in which every entry is {"name": "address"}; addresses that run scripts are refused',
  ],
  [
    'Chats',
    '[{"A": "https://a.example", "B": "https://b.example"}]',
    'Chat sites: enter a JSON list in which every entry is {"name": "address"}; addresses that run scripts are refused',
  ],
  ['global_css', 'a{}</style><script>', 'A style sheet cannot contain <script or </style'],
])('%s cannot be %j, and nothing is stored', async (key, value, message) => {
  const root = await setUp()
  const before = await stored(key)
  expect(await save(root, key, value)).toMatchObject({ status: 400, success: false, message })
  expect(await stored(key)).toBe(before as string)
})

test('a body that is not a change of an option is refused', async () => {
  const root = await setUp()
  for (const body of ['{"key":', '[]', '{"key":"RetryTimes"}', '{"key":"RetryTimes","value":{}}', '{"value":"1"}']) {
    expect([body, (await root.put('/api/option/', body)).status]).toEqual([body, 400])
  }
})

test.each([
  [
    'GitHubOAuthEnabled',
    { GitHubClientId: 'id', GitHubClientSecret: 's' },
    'Fill in the GitHub client ID and secret first',
  ],
  [
    'LinuxDOOAuthEnabled',
    { LinuxDOClientId: 'id', LinuxDOClientSecret: 's' },
    'Fill in the Linux DO client ID and secret first',
  ],
  ['WeChatAuthEnabled', { WeChatServerAddress: 'https://wechat.example/' }, 'Fill in the WeChat server address first'],
  ['TelegramOAuthEnabled', { TelegramBotToken: '1:token' }, 'Fill in the Telegram bot token first'],
  [
    'TurnstileCheckEnabled',
    { TurnstileSiteKey: 'site', TurnstileSecretKey: 's' },
    'Fill in the Turnstile site key and secret key first',
  ],
  [
    'oidc.enabled',
    {
      'oidc.client_id': 'id',
      'oidc.client_secret': 's',
      'oidc.authorization_endpoint': 'https://id.example/authorize/',
      'oidc.token_endpoint': 'https://id.example/token/',
      'oidc.user_info_endpoint': 'https://id.example/me/',
    },
    'Fill in the OIDC client ID, secret and endpoints first',
  ],
])(
  '%s needs its configuration first, and the configuration cannot be emptied under it',
  async (key, configuration, message) => {
    const root = await setUp()
    await save(root, 'GitHubClientId', '')
    expect(await save(root, key, 'true')).toMatchObject({ status: 200, success: false, message })
    expect(await stored(key)).toBeUndefined()
    for (const [name, value] of Object.entries(configuration)) await save(root, name, value)
    expect(await save(root, key, 'true')).toMatchObject({ success: true })

    const emptied = Object.keys(configuration).find(name => !catalog[name as 'GitHubClientId'].secret)
    if (emptied) expect(await save(root, emptied, '')).toMatchObject({ success: false, message })
    expect(await save(root, key, 'false')).toMatchObject({ success: true })
  },
)

test('an address that paths are appended to loses its last slash, an endpoint keeps it', async () => {
  const root = await setUp()
  await save(root, 'ServerAddress', 'https://gate.example.com/base/')
  await save(root, 'oidc.token_endpoint', 'https://id.example/token/')
  expect(option('ServerAddress')).toBe('https://gate.example.com/base')
  expect(option('oidc.token_endpoint')).toBe('https://id.example/token/')
  expect((await anyone.get('/api/status')).data.server_address).toBe('https://gate.example.com/base')
})

test('of two changes that exclude each other at the same moment, one is refused', async () => {
  const root = await setUp()
  await save(root, 'GitHubClientId', 'id')
  await save(root, 'GitHubClientSecret', 'secret')
  const answers = await Promise.all([save(root, 'GitHubOAuthEnabled', 'true'), save(root, 'GitHubClientId', '')])
  expect(answers.filter(answer => answer.success)).toHaveLength(1)
})

test('a fallback price is saved switch first, and a single price and ratios exclude each other', async () => {
  const admin = await visitor(Role.admin)
  const contradiction =
    'Check the fallback ratio config: with a single price no ratios may be set; with ratios both input and completion are required'
  for (const [key, value] of [
    ['fallback_pricing_enabled', true],
    ['fallback_input_ratio', 2],
    ['fallback_completion_ratio', 3],
  ]) {
    expect(await save(admin, key as string, value)).toMatchObject({ success: true })
  }
  expect(await save(admin, 'fallback_single_price', '0.01')).toMatchObject({ success: false, message: contradiction })
  expect(option('fallback_single_price')).toBeUndefined()
  for (const key of ['fallback_input_ratio', 'fallback_completion_ratio']) await save(admin, key, '')
  expect(await save(admin, 'fallback_single_price', '0.01')).toMatchObject({ success: true })

  const check = (body: object) => admin.post('/api/option/validate_fallback_pricing', body)
  expect(await check({ enabled: true, single_price: 0.1, input_ratio: '', completion_ratio: null })).toMatchObject({
    success: true,
  })
  expect(await check({ enabled: true, single_price: '', input_ratio: '2', completion_ratio: 3 })).toMatchObject({
    success: true,
  })
  expect(await check({ enabled: false })).toMatchObject({ success: true })
  for (const body of [
    { enabled: true, single_price: 0.1, input_ratio: 1 },
    { enabled: true, input_ratio: 1 },
    { enabled: true },
  ]) {
    expect(await check(body)).toMatchObject({ success: false, message: contradiction })
  }
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

test('stored values that no longer make sense are their defaults, and the start goes on', async () => {
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

test('the public status has every field of its contract, as real types, and no secret', async () => {
  const { data } = await anyone.get('/api/status')
  const fields =
    `setup version start_time system_name logo footer_html server_address docs_link top_up_link quota_per_unit
    display_in_currency price min_topup enable_online_topup enable_drawing enable_task enable_data_export
    data_export_default_time default_collapse_sidebar mj_notify_enabled chats chat_link chat_link2 aff_enabled
    check_in_enabled turnstile_check turnstile_site_key email_verification github_oauth github_client_id oidc_enabled
    oidc_client_id oidc_authorization_endpoint linuxdo_oauth linuxdo_client_id wechat_login wechat_qrcode
    telegram_oauth telegram_bot_name self_use_mode_enabled demo_site_enabled`.split(/\s+/)
  expect(Object.keys(data).sort()).toEqual(fields.sort())
  expect(data).toMatchObject({ system_name: 'Tollgate', quota_per_unit: 500000, display_in_currency: true, chats: [] })
})

test('online top-up is open once address, id and key of the payment gateway are there', async () => {
  const root = await setUp()
  await save(root, 'EpayKey', 'k')
  await save(root, 'EpayId', '1000')
  expect(publicStatus().enable_online_topup).toBe(false)
  await save(root, 'PayAddress', 'https://pay.example.com')
  expect((await anyone.get('/api/status')).data.enable_online_topup).toBe(true)
})

test('notice, about and home page are told to anyone', async () => {
  const root = await setUp()
  await save(root, 'Notice', '# Hello')
  await save(root, 'About', 'about us')
  await save(root, 'HomePageContent', 'https://example.com')
  expect((await anyone.get('/api/notice')).data).toBe('# Hello')
  expect((await anyone.get('/api/about')).data).toBe('about us')
  expect((await anyone.get('/api/home_page_content')).data).toBe('https://example.com')
})

test('the site-wide style sheet and script are served as they are now, and cheaply when unchanged', async () => {
  const root = await setUp()
  expect((await anyone.fetch('/custom/global.css')).status).toBe(204)
  await save(root, 'global_css', 'body{color:red}')
  await save(root, 'global_js', 'console.info(1)')
  const css = await anyone.fetch('/custom/global.css')
  expect([css.headers.get('content-type'), css.headers.get('cache-control'), await css.text()]).toEqual([
    'text/css; charset=utf-8',
    'no-cache',
    'body{color:red}',
  ])
  const again = { headers: { 'if-none-match': css.headers.get('etag')! } }
  expect((await anyone.fetch('/custom/global.css', again)).status).toBe(304)
  await save(root, 'global_css', 'body{color:blue}')
  expect(await (await anyone.fetch('/custom/global.css', again)).text()).toBe('body{color:blue}')
  const js = await anyone.fetch('/custom/global.js')
  expect([js.headers.get('content-type'), await js.text()]).toEqual([
    'text/javascript; charset=utf-8',
    'console.info(1)',
  ])
})

test('a refusal speaks the language of the caller', async () => {
  const root = await setUp()
  const refused = await root.put('/api/option/', { key: 'RebatePercentage', value: '101' }, { language: 'zh' })
  expect(refused.message).toBe('返利百分比必须在 0 到 100 之间')
})
