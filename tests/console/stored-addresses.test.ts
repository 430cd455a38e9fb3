/** Addresses that the site stores: scripts are refused in every spelling, wherever an address is entered. */
import { afterAll, expect, test } from 'bun:test'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { setOptionAsSystem } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const person = await visitor()

const scripts = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' \tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'java\u0000script:alert(1)',
  '\u0001javascript:alert(1)',
  'java\u200bscript\ufeff:alert(1)',
  'javascript\u00ad:alert(1)',
  'javascript&colon;alert(1)',
  'java&Tab;script:alert(1)',
  'java&NewLine;script:alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A;avascript&#58;alert(1)',
  '&amp;#0000106avascript:alert(1)',
  'vbscript:msgbox(1)',
  'VBSCRIPT:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'data:application/javascript,alert(1)',
  'blob:https://gate.example/1',
  'file:///etc/passwd',
  'filesystem:https://gate.example/x',
]

/** A NUL is refused before an option or a channel is looked at. */
const textual = scripts.filter(address => !address.includes('\0'))

/** Only these take anything but http and https. */
const links = ['chat_link', 'chat_link2']
const addresses = [
  ...['Logo', 'ServerAddress', 'WorkerUrl', 'TopUpLink', 'general_setting.docs_link', 'PayAddress'],
  ...['CustomCallbackAddress', 'WeChatServerAddress', 'WeChatAccountQRCodeImageURL', 'oidc.well_known'],
  ...['oidc.authorization_endpoint', 'oidc.token_endpoint', 'oidc.user_info_endpoint'],
] as const

const save = (key: string, value: string, language: 'en' | 'zh' = 'en') =>
  root.put('/api/option/', { key, value }, { language })

afterAll(async () => {
  for (const key of addresses) await setOptionAsSystem(key, '')
})

test.each([...addresses, ...links])('option %s refuses every spelling of a script and stores nothing', async key => {
  const before = await db.$count(options)
  for (const address of scripts) {
    const { status, success, code, field } = await save(key, address)
    // A NUL is refused before the option is looked at.
    const isText = !address.includes('\0')
    expect([address, status, success, isText && code?.startsWith('option.'), isText && field]).toEqual([
      address,
      400,
      false,
      isText,
      isText && key,
    ])
  }
  expect(await db.$count(options)).toBe(before)
})

test('chat sites refuse every spelling of a script', async () => {
  expect(textual).toHaveLength(scripts.length - 1)
  for (const address of textual)
    expect(await save('Chats', JSON.stringify([{ Chat: address }]))).toMatchObject({
      status: 400,
      code: 'option.bad_chat',
    })
})

test.each([
  ['Chats', '[{"CC Switch":"ccswitch://v1/import?key={key}"},{"Cherry":"cherrystudio://providers?v=1&data={x}"}]'],
  ['chat_link', 'fluent://login?key={key}'],
  ['chat_link2', 'https://chat.example/#/?settings={"key":"{key}"}'],
  ['Logo', 'https://cdn.example/logo.png'],
  ['Logo', '/public/logo.svg'],
  ['Logo', 'data:image/png;base64,iVBORw0KGgo='],
  ['Logo', ''],
  ['TopUpLink', 'HTTPS://shop.example/pay?x=javascript:1'],
] as const)('option %s accepts %j', async (key, value) => {
  expect(await save(key, value)).toMatchObject({ success: true })
  await setOptionAsSystem(key, '')
})

test.each([
  'logo.png',
  '//evil.example/logo.png',
  '/\\evil.example/logo.png',
  'data:imagex/png,1',
  'ftp://a.example/b',
  'http://a.example/logo.png',
])('the logo refuses %j with a message in both languages', async address => {
  const refused = { status: 400, code: 'option.not_image', field: 'Logo' }
  expect(await save('Logo', address)).toMatchObject({
    ...refused,
    message: 'Logo: enter an https:// address of an image, a path of this site, or a data:image address',
  })
  expect(await save('Logo', address, 'zh')).toMatchObject({
    ...refused,
    message: 'Logo：请输入图片的 https:// 地址、本站路径或 data:image 地址',
  })
})

test('channels and webhooks refuse every spelling of a script, and web addresses with unseen characters', async () => {
  const unseen = [
    'https://a.example/\u200b',
    'https://a.ex\tample',
    'ht\ntps://a.example',
    'https:a.example',
    'https:///x',
  ]
  expect(textual).toHaveLength(scripts.length - 1)
  for (const address of [...textual, ...unseen]) {
    const channel = { name: 'c', type: 1, key: 'sk', models: 'gpt-4o', base_url: address }
    expect(await root.post('/api/channel/', channel)).toMatchObject({ status: 400, field: 'base_url' })
    const setting = { notify_type: 'webhook', webhook_url: address }
    expect(await person.put('/api/user/setting', setting)).toMatchObject({ status: 400, field: 'webhook_url' })
  }
  expect(await db.$count(channels)).toBe(0)
})
