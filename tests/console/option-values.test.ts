import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { catalog } from '../../src/domain/options/catalog.ts'
import { option } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'

const save = (person: Person, key: string, value: unknown) => person.put('/api/option/', { key, value })

const stored = async (key: string) => (await db.select().from(options).where(eq(options.key, key)))[0]?.value

test.each([
  ['NoSuchOption', '1', 'There is no option NoSuchOption'],
  ['constructor', '1', 'There is no option constructor'],
  ['RetryTimes', 'many', 'Retries: enter a number'],
  ['RetryTimes', '1.5', 'Retries: enter a whole number'],
  ['RetryTimes', '-1', 'Retries: this number is out of range'],
  ['QuotaForNewUser', '9007199254740993', 'Quota for new users: this number is out of range'],
  ['QuotaForNewUser', 'NaN', 'Quota for new users: enter a number'],
  ['QuotaPerUnit', '0', 'Quota per dollar: this number is out of range'],
  ['QuotaPerUnit', '', 'Quota per dollar: enter a number'],
  ['CheckInEnabled', 'yes', 'Daily check-in: choose on or off'],
  ['RebatePercentage', '100.1', 'The rebate percentage must be between 0 and 100'],
  ['ModelRatio', '{"gpt-4o": 1', 'Model ratio: not a valid JSON string'],
  ['ModelRatio', '{"gpt-4o": -1}', 'Model ratio: enter a JSON object whose values are numbers, at least 0'],
  ['ModelRatio', '{"gpt-4o": 1e999}', 'Model ratio: enter a JSON object whose values are numbers, at least 0'],
  ['ModelRatio', '[1]', 'Model ratio: enter a JSON object whose values are numbers, at least 0'],
  ['TopupGroupRatio', 'nonsense', 'The top-up group ratio is not a valid JSON string'],
  ['ServerAddress', 'ftp://example.com', 'Server address: enter a URL that starts with http:// or https://'],
  ['DataExportDefaultTime', 'month', 'Default granularity: choose one of the listed values'],
  ['EmailDomainWhitelist', 'not a host', 'Invalid email domain format, enter a valid domain such as example.com'],
  ['EmailDomainWhitelist', 'a.com,A.com', 'This domain is already in the whitelist'],
  ...['{"m":{"x-team":["a\\r\\nb"]}}', '{"m":{"x team":["a"]}}', '{"m":{"x-team":"a"}}'].map(
    headers =>
      [
        'claude.model_headers_settings',
        headers,
        'Request headers: enter JSON such as {"model": {"header": ["value"]}}',
      ] as [string, string, string],
  ),
  ...['(', '(?=x)y', '(a)\\1', 'x*', ''].map(
    source =>
      [
        'SensitiveWords',
        `fine\nregex:${source}`,
        'The sensitive words contain a regular expression that is invalid or matches every text',
      ] as [string, string, string],
  ),
  ['gemini.thinking_adapter_budget_tokens_percentage', '0.001', 'Thinking budget: this number is out of range'],
  [
    'claude.default_max_tokens',
    '{"claude-3": 0}',
    'Default maximum output: enter a JSON object of whole numbers, at least 1',
  ],
  [
    'Chats',
    '[{"Bad": "javascript:alert(1)"}]',
    'Chat sites: enter a JSON array of entries {"name": "address"}; script addresses are not allowed',
  ],
  ['chat_link', 'java\tscript:alert(1)', 'Chat link: script addresses are not allowed'],
  [
    'Chats',
    '[{"Bad": "\\u0001java\\nscript:alert(1)"}]',
    'Chat sites: enter a JSON array of entries {"name": "address"}; script addresses are not allowed',
  ],
  [
    'Chats',
    '[{"A": "https://a.example", "B": "https://b.example"}]',
    'Chat sites: enter a JSON array of entries {"name": "address"}; script addresses are not allowed',
  ],
  ['chat_link', 'VBScript:x', 'Chat link: script addresses are not allowed'],
  ['ServerAddress', 'http://[::1', 'Server address: enter a URL that starts with http:// or https://'],
  ['global_css', 'a{}</style><script>', 'A style sheet cannot contain <script or </style'],
  ['global_css', 'a{}</STYLE>', 'A style sheet cannot contain <script or </style'],
])('option %s refuses %j and stores nothing', async (key, value, message) => {
  const root = await setUp()
  const before = await stored(key)
  expect(await save(root, key, value)).toMatchObject({ status: 400, success: false, message })
  expect(await stored(key)).toBe(before as string)
})

test('an invalid body of an option change is refused', async () => {
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
    'Fill in the OIDC client ID, the secret, and the Well-Known URL or the endpoints first',
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

test('base addresses lose a trailing slash, endpoints keep it', async () => {
  const root = await setUp()
  await save(root, 'ServerAddress', 'https://gate.example.com/base/')
  await save(root, 'oidc.token_endpoint', 'https://id.example/token/')
  expect(option('ServerAddress')).toBe('https://gate.example.com/base')
  expect(option('oidc.token_endpoint')).toBe('https://id.example/token/')
  expect((await anyone.get('/api/status')).data.server_address).toBe('https://gate.example.com/base')
})

test('two concurrent exclusive changes: one is refused', async () => {
  const root = await setUp()
  await save(root, 'GitHubClientId', 'id')
  await save(root, 'GitHubClientSecret', 'secret')
  const answers = await Promise.all([save(root, 'GitHubOAuthEnabled', 'true'), save(root, 'GitHubClientId', '')])
  expect(answers.filter(answer => answer.success)).toHaveLength(1)
})

test('the email domain restriction requires a list of domains', async () => {
  const root = await setUp()
  await save(root, 'EmailDomainWhitelist', '')
  const hold = () => save(root, 'EmailDomainRestrictionEnabled', true)
  expect(await hold()).toMatchObject({ success: false, message: 'Fill in the email domains first' })
  await save(root, 'EmailDomainWhitelist', 'example.com')
  expect(await hold()).toMatchObject({ success: true })
})

test('a fallback price is saved switch first, and a single price and ratios exclude each other', async () => {
  const admin = await visitor(Role.admin)
  const contradiction =
    'Check the fallback price: with a price per call no ratios may be set; with ratios both input and completion are required'
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
