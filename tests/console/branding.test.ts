/** The operator's pages, announcement and footer, and the built-in ones in their place. */
import { expect, test } from 'bun:test'
import { servedFormats } from '../../views/branding/about.tsx'
import { setOption } from '../support/app/options.ts'
import { routes } from '../support/app/routes.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const root = await setUp()

const main = (page: string) => page.slice(page.indexOf('<main'), page.indexOf('</main>'))
const open = async (path: string, headers?: Record<string, string>) => {
  const response = await anyone.page(path, { headers })
  const html = await response.text()
  return { html, main: main(html), policy: response.headers.get('content-security-policy')! }
}

const pages = [
  { key: 'HomePageContent', path: '/' },
  { key: 'About', path: '/about' },
]

test.each(pages)('$path shows Markdown and HTML of the operator, sanitised', async ({ key, path }) => {
  await setOption(
    key,
    '# Our house\n\n- one\n\n<b onclick="x()">bold</b><script>alert(1)</script>\n\n| a |\n|--:|\n| 1 |',
  )
  const { main } = await open(path)
  expect(main).toContain('<h1>Our house</h1>')
  expect(main).toContain('<li>one</li>')
  expect(main).toContain('<b>bold</b>')
  expect(main).toContain('<td align="right">1</td>')
  expect(main).not.toContain('alert(1)')
  expect(main.match(/<h1/g)).toHaveLength(1)
  await setOption(key, 'Only text')
  expect((await open(path)).main).toContain('<h1 class="sr-only">')
  await setOption(key, '')
  expect((await open(path)).main).not.toContain('Only text')
})

test.each(pages)('$path shows an https address in a sandboxed frame of that origin alone', async ({ key, path }) => {
  await setOption(key, ' https://pages.example:8443/welcome?a="b" ')
  const { main, policy } = await open(path)
  expect(main).toContain('src="https://pages.example:8443/welcome?a=&quot;b&quot;"')
  expect(main).toMatch(/sandbox="allow-scripts [^"]*"/)
  expect(main).not.toContain('allow-top-navigation')
  expect(main).toContain('referrerPolicy="no-referrer"')
  expect(policy).toEndWith('; frame-src https://pages.example:8443')
  await setOption(key, '')
  expect((await open(path)).policy).not.toContain('frame-src')
})

test.each([
  'http://plain.example/',
  'https://a;script-src.example/',
  'https://user:secret@a.example/',
  'https://a.example is our site',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
])('text that starts like an address is no frame: %s', async text => {
  await setOption('About', text)
  const { main, policy } = await open('/about')
  expect([main.includes('<iframe'), policy.includes('frame-src')]).toEqual([false, false])
  expect(main).not.toMatch(/<script|href="(javascript|data):/)
  await setOption('About', '')
})

test('the announcement is on the home page until it is closed, and again with a new text', async () => {
  await setOption('Notice', '**Closed** on Friday <img src=x onerror="alert(1)">')
  const first = await open('/')
  expect(first.main).toContain('<strong>Closed</strong> on Friday')
  expect(first.main).not.toContain('onerror')
  expect((await open('/about')).html).not.toContain('Closed')
  const id = /value="([\da-f]{16})"/.exec(first.main)![1]!
  const closed = await anyone.form('/preferences', { 'notice-read': id, returnTo: '/' })
  expect([closed.status, closed.headers.get('location')]).toEqual([303, '/'])
  const cookie = closed.headers.get('set-cookie')!.split(';')[0]!
  expect((await open('/', { cookie })).main).not.toContain('Closed')
  await setOption('Notice', 'Open again')
  expect((await open('/', { cookie })).main).toContain('Open again')
  await setOption('Notice', '')
  expect((await open('/')).main).not.toContain('notice-read')
  expect((await anyone.form('/preferences', { 'notice-read': 'x; Path=/' })).headers.get('set-cookie')).toBeNull()
})

const footerOf = ({ html }: { html: string }) =>
  html
    .split(/<footer class="[^"]*(?:home|page)-foot">/)[1]!
    .split('</footer>')[0]!
    .replace(/<!-- -->/g, '')

test('public pages end in the built-in footer unless the operator has one', async () => {
  await setOption('general_setting.docs_link', 'https://docs.example')
  const page = await open('/pricing')
  expect(footerOf(page)).toContain('Tollgate 0.')
  for (const href of ['/about', '/pricing', 'https://docs.example']) expect(footerOf(page)).toContain(`href="${href}"`)
  expect(page.html.split('class="top-navigation"')[1]!.split('</nav>')[0]).toContain('href="https://docs.example"')
  await setOption('Footer', '<i>ICP 7</i>')
  for (const path of ['/', '/about', '/pricing', '/no/such/page'])
    expect(footerOf(await open(path))).toBe('<i>ICP 7</i>')
  await setOption('Footer', '')
  await setOption('general_setting.docs_link', '')
})

test('the built-in about page names version, formats, models and docs', async () => {
  await setOption('general_setting.docs_link', 'https://docs.example')
  await setOption('ServerAddress', 'https://api.example.com')
  const { main } = await open('/about')
  expect(main).toContain('About Tollgate')
  expect(main).toContain('https://api.example.com')
  expect(main).toContain('href="https://docs.example"')
  for (const { path } of servedFormats) expect(main).toContain(`>${path}<`)
  const ofRelay = new Set(routes.map(({ path }) => path))
  expect(servedFormats.filter(({ path }) => !ofRelay.has(path))).toEqual([])
  expect((await (await anyone.page('/about', { language: 'zh' })).text()).includes('关于 Tollgate')).toBe(true)
  await setOption('general_setting.docs_link', '')
  await setOption('ServerAddress', '')
  for (const path of ['/', '/about']) expect((await open(path)).main).toContain('href="/docs/api"')
  expect(footerOf(await open('/about'))).toContain('href="/docs/api"')
})

test('a search without a match keeps the head of the price table and leads on', async () => {
  await makeChannel(root, { models: 'gpt-4o' })
  const { main } = await open('/?model=zzz')
  expect(main).toContain('No model matches “zzz”.')
  expect(main).toMatch(/<th[^>]*>Input<\/th>/)
  expect(main).toMatch(/<a href="\/"[^>]*>Clear the search<\/a>/)
})

test('only root changes what every visitor sees', async () => {
  const admin = await visitor(10)
  for (const key of ['Notice', 'HomePageContent', 'About', 'Footer', 'custom_head_html', 'global_css', 'global_js'])
    expect([key, (await save(admin, key, 'text')).status]).toEqual([key, 403])
})

const save = (person: Person, key: string, value: string) => person.put('/api/option/', { key, value })

test.each(['<!-- open', '<script>let a', '<style>', '<title>a', '<template>', '<meta name="a'])(
  'a head that would swallow the page is refused: %s',
  async value => {
    const refused = await save(root, 'custom_head_html', value)
    expect([refused.status, refused.code, refused.field]).toEqual([400, 'option.head_left_open', 'custom_head_html'])
    expect((await open('/')).html).not.toContain(value)
  },
)

test('the built-in page about the site counts the models that the group of its reader can use', async () => {
  await setOption('GroupRatio', JSON.stringify({ default: 1, vip: 0.5 }))
  await makeChannel(root, { models: 'gpt-4o,gpt-4o-mini', group: 'default' })
  await makeChannel(root, { models: 'gpt-4o,o3,o1', group: 'vip' })
  const vip = await visitor()
  await root.form(`/admin/users/${vip.id}/group`, { group: 'vip' })
  const counted = async (person: Person) => {
    const html = main(await (await person.page('/about')).text())
    return html.replace(/<[^>]+>/g, ' ').match(/\d+ models?/)?.[0]
  }
  expect([await counted(anyone), await counted(vip)]).toEqual(['2 models', '3 models'])
})
