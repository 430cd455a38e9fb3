import { expect, test } from 'bun:test'
import { publicStatus } from '../../src/domain/options/service.ts'
import { anyone, type Person, setUp } from '../support/people/person.ts'

const save = (person: Person, key: string, value: unknown) => person.put('/api/option/', { key, value })

test('the public status has every field of its contract, as real types, and no secret', async () => {
  const { data } = await anyone.get('/api/status')
  const fields =
    `setup version start_time system_name logo footer_html status_page_enabled server_address docs_link top_up_link quota_per_unit
    display_in_currency price min_topup enable_online_topup enable_drawing enable_task enable_data_export
    data_export_default_time default_collapse_sidebar mj_notify_enabled chats chat_link chat_link2 aff_enabled
    check_in_enabled turnstile_check turnstile_site_key email_verification registration_open password_registration github_oauth github_client_id oidc_enabled
    oidc_client_id oidc_authorization_endpoint linuxdo_oauth linuxdo_client_id wechat_login wechat_qrcode
    telegram_oauth telegram_bot_name self_use_mode_enabled demo_site_enabled`.split(/\s+/)
  expect(Object.keys(data).sort()).toEqual(fields.sort())
  expect(data).toMatchObject({ system_name: 'Tollgate', quota_per_unit: 500000, display_in_currency: true, chats: [] })
})

test('online top-up is enabled once address, id and key of the payment gateway are set', async () => {
  const root = await setUp()
  await save(root, 'EpayKey', 'k')
  await save(root, 'EpayId', '1000')
  expect(publicStatus().enable_online_topup).toBe(false)
  await save(root, 'PayAddress', 'https://pay.example.com')
  expect((await anyone.get('/api/status')).data.enable_online_topup).toBe(true)
})

test('notice, about and home page are public', async () => {
  const root = await setUp()
  await save(root, 'Notice', '# Hello')
  await save(root, 'About', 'about us')
  await save(root, 'HomePageContent', 'https://example.com')
  expect((await anyone.get('/api/notice')).data).toBe('# Hello')
  expect((await anyone.get('/api/about')).data).toBe('about us')
  expect((await anyone.get('/api/home_page_content')).data).toBe('https://example.com')
})

test('custom style sheet and script are served fresh, and with 304 when unchanged', async () => {
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
  expect(css.headers.get('x-content-type-options')).toBe('nosniff')
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

test('the custom head is in every page, and its scripts run', async () => {
  const root = await setUp()
  const head = async () => {
    const response = await anyone.page('/no/such/page')
    const policy = response.headers.get('content-security-policy')!
    return { policy, html: (await response.text()).split('</head>')[0]! }
  }
  for (const key of ['custom_head_html', 'global_css', 'global_js']) await save(root, key, '')
  const plain = await head()
  expect(plain.html).not.toContain('/custom/global')
  expect(plain.policy).toContain("connect-src 'self';")

  await save(root, 'global_css', 'body{color:red}')
  await save(root, 'global_js', 'console.info(1)')
  await save(
    root,
    'custom_head_html',
    '<meta name="verified" content="yes"><link rel="stylesheet" href="/a.css"><script src="https://a.example/a.js"></script>',
  )
  const { policy, html } = await head()
  const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)![1]
  expect(html).toContain('<link rel="stylesheet" href="/custom/global.css"/>')
  expect(html).toContain(`<script defer="" src="/custom/global.js" nonce="${nonce}">`)
  expect(html).toEndWith(
    `<meta name="verified" content="yes"><link rel="stylesheet" href="/a.css" nonce="${nonce}"><script src="https://a.example/a.js" nonce="${nonce}"></script>`,
  )
  expect(policy).toContain("connect-src 'self' https:;")
})

test("a refusal is in the caller's language", async () => {
  const root = await setUp()
  const refused = await root.put('/api/option/', { key: 'RebatePercentage', value: '101' }, { language: 'zh' })
  expect(refused.message).toBe('返利百分比必须在 0 到 100 之间')
})
