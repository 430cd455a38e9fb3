/** Set-up by an uploaded database of new-api, one-api or Veloera. */
import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Installation, newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { newFolder, run, type Server } from '../support/app/server.ts'
import { ANN, channel, fileOf, gateways, KEYS, OLD_ROOT, peopled } from '../support/moving-in/house.ts'
import { rowsOf } from '../support/moving-in/moved.ts'
import { template } from '../support/runner/batch.ts'
import { until } from '../support/until.ts'

const PATH = '/setup/import'

/** What the page says, without its frame. */
const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0] ?? html

interface Sending {
  fields?: Record<string, string>
  headers?: Record<string, string>
}

async function upload(
  { url }: Server,
  file: string | undefined,
  { fields, headers = { 'accept-language': 'en' } }: Sending = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ csrf: '', prices: 'theirs', days: '0', ...fields }))
    form.append(name, value)
  if (file) form.append('file', new File([readFileSync(file)], 'one-api.db'))
  const answer = await fetch(url + PATH, { method: 'POST', body: form, headers, redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: mainOf(await answer.text()) }
}

const page = async ({ url }: Server, path: string) => {
  const answer = await fetch(url + path, { redirect: 'manual', headers: { 'accept-language': 'en' } })
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    refresh: answer.headers.get('refresh'),
    text: mainOf(await answer.text()),
  }
}

const press = async ({ url }: Server, path: string) =>
  (await fetch(url + path, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' })).headers.get('location')

const stored = ({ folder }: Installation) => {
  const place = join(folder, 'import')
  return existsSync(place) ? readdirSync(place).map(name => join(place, name)) : []
}

const started = async (env: Record<string, string> = {}) => {
  const place = await newInstallation(template)
  Object.assign(place.env, { CRITICAL_RATE_LIMIT: '0', ...env })
  return { place, server: await startAt(place) }
}

const finished = (server: Server, path: string) =>
  until(async () => (await page(server, path)).location === '/login' || undefined)

test.each(gateways)('%s: the file is checked, then moves in, and its root signs in', async gateway => {
  const { place, server } = await started()
  expect((await page(server, '/setup')).text).toContain(`href="${PATH}"`)
  const form = (await page(server, PATH)).text
  expect(form).toContain('Up to 1024 MB')
  const sent = await upload(server, fileOf(gateway, peopled(gateway, [channel(3, 1)])))
  expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(/^\/setup\/import\/\w{32}$/)])
  const report = await page(server, sent.location)
  for (const part of ['one-api.db', 'Users bound to a name at GitHub', 'Afterwards root signs in'])
    expect(report.text).toContain(part)
  for (const secret of [...Object.values(KEYS), '$2a$']) expect(report.text).not.toContain(secret)
  expect(await rowsOf(place, 'select id from users')).toEqual([])
  const [file] = stored(place)
  expect([statSync(file!).mode & 0o777, statSync(join(place.folder, 'import')).mode & 0o777]).toEqual([0o600, 0o700])

  expect(await press(server, sent.location)).toBe(sent.location)
  await finished(server, sent.location)
  expect(stored(place)).toEqual([])
  const people = await rowsOf(place, 'select id, username, role, quota from users where id < 4 order by id')
  expect(people).toMatchObject([
    { id: 1, username: 'root', role: 100, quota: 100_000_000 },
    { id: 2, username: 'ann', role: 1, quota: 123_456 },
    { id: 3, username: 'bob', role: 10, quota: -42 },
  ])
  expect((await signInAt(server, OLD_ROOT)).success).toBe(true)
  expect((await signInAt(server, ANN)).success).toBe(true)
  const models = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer sk-${KEYS.ann}` } })
  expect(models.status).toBe(200)
  for (const path of ['/setup', PATH, sent.location]) expect((await page(server, path)).location).toBe('/login')
  expect((await upload(server, undefined)).location).toBe('/login')
  await server.stop()
  expect((await run(['audit'], place)).out).toContain('audit: clean (')
})

const noDatabase = () => {
  const path = join(newFolder(), 'letter.txt')
  writeFileSync(path, 'Dear gateway, '.repeat(500))
  return path
}

const damaged = () => {
  const path = fileOf('one-api', peopled('one-api'))
  truncateSync(path, statSync(path).size / 2)
  return path
}

const withoutRoot = () => fileOf('one-api', { users: peopled('one-api').users!.slice(1) })

const refused: [why: string, file: () => string | undefined, fields: Record<string, string>, en: string, zh: string][] =
  [
    ['no file', () => undefined, {}, 'Choose the database file', '请选择数据库文件'],
    ['a file of another kind', noDatabase, {}, 'no SQLite database that can be read', '不是 SQLite 数据库'],
    ['a damaged file', damaged, {}, 'no SQLite database that can be read', '不是 SQLite 数据库'],
    ["a fork's tables", () => fileOf('one-api', {}, { drop: ['config', 'subnet'] }), {}, 'looked for', '不是 new-api'],
    ['a database without a root', withoutRoot, {}, 'no enabled user there has the role 100', '启用用户'],
    [
      'days that are none',
      () => fileOf('one-api', peopled('one-api')),
      { days: 'x' },
      'a whole number of days',
      '整数天数',
    ],
  ]

test('an upload that cannot move in says why in both languages, and leaves nothing', async () => {
  const { place, server } = await started()
  for (const [why, file, fields, en, zh] of refused) {
    const sent = [file(), { fields }] as const
    const english = await upload(server, ...sent)
    expect([why, english.status, english.text]).toEqual([why, 422, expect.stringContaining(en)])
    const chinese = await upload(server, sent[0], { fields, headers: { 'accept-language': 'zh' } })
    expect([why, chinese.status, chinese.text]).toEqual([why, 422, expect.stringContaining(zh)])
    expect([why, stored(place)]).toEqual([why, []])
  }
  expect(await rowsOf(place, 'select id from users')).toEqual([])
  expect(await rowsOf(place, 'select source from moves')).toEqual([])
})

test('an upload asks for the setup token before it stores a byte, and refuses pages of other sites', async () => {
  const { place, server } = await started({ SETUP_TOKEN: 'only-mine' })
  const file = fileOf('one-api', peopled('one-api'))
  expect((await page(server, PATH)).text).toContain('name="setup_token"')
  for (const setup_token of ['', 'wrong']) {
    const { status, text } = await upload(server, file, { fields: { setup_token } })
    expect([status, text]).toEqual([422, expect.stringContaining('The setup token is wrong')])
  }
  const fields = { setup_token: 'only-mine' }
  const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
  expect((await upload(server, file, { fields, headers: foreign })).status).toBe(403)
  expect(stored(place)).toEqual([])
  const { location } = await upload(server, file, { fields })
  expect(stored(place)).toHaveLength(1)
  const other = await upload(server, file, { fields })
  expect(stored(place)).toHaveLength(1)
  expect((await page(server, location)).location).toBe(PATH)
  expect(await press(server, location)).toBe(PATH)
  await server.stop()
  expect(stored(place)).toEqual([])
  expect(other.status).toBe(303)
})

test('an upload above the size limit is refused before it is read', async () => {
  const { place, server } = await started()
  const { hostname, port } = new URL(server.url)
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const head = ['Host: x', 'Content-Type: multipart/form-data; boundary=b', `Content-Length: ${1025 * 1_048_576}`]
      socket.write(`POST ${PATH} HTTP/1.1\r\nAccept-Language: en\r\n${head.join('\r\n')}\r\n\r\n--b\r\n`)
    })
    let text = ''
    socket.setEncoding('utf8').on('data', (data: string) => {
      text += data
      if (text.includes('</main>')) resolve(text)
    })
    socket.on('error', reject).on('close', () => resolve(text))
  })
  expect(answer).toContain('The body is larger than 1024 MB')
  expect(stored(place)).toEqual([])
})

test('an import that was killed goes on with the same file, and takes no other installation', async () => {
  const { place, server } = await started()
  const rows = peopled('new-api', [channel(3, 1)])
  const file = fileOf('new-api', rows)
  const { location } = await upload(server, file)
  await press(server, location)
  await finished(server, location)
  await server.stop()
  // As if it had been killed before its end: the set-up is not done, and some rows are missing.
  await place.change('delete from setups')
  await place.change('delete from ledger where user_id = 7')
  await place.change("delete from openings where owner = 'user' and owner_id = 7")
  await place.change('delete from users where id = 7')
  await place.change("delete from moved_rows where noun = 'user' and source_id = 7")
  rmSync(join(place.folder, 'set-up.done'))
  mkdirSync(join(place.folder, 'import'))
  writeFileSync(join(place.folder, 'import', 'left'), 'of a killed process')
  const again = await startAt(place)
  expect(stored(place)).toEqual([])
  const strangers = rows.users!.map(row => ({ ...row, aff_code: `X${row.id}` }))
  expect((await upload(again, fileOf('new-api', { ...rows, users: strangers }))).text).toContain('another installation')
  expect((await upload(again, fileOf('veloera', peopled('veloera')))).text).toContain('Tollgate has a root of its own')
  const rest = (await upload(again, file)).location
  await press(again, rest)
  await finished(again, rest)
  await again.stop()
  expect(await rowsOf(place, 'select id, role from users where role = 100 or id = 7 order by id')).toEqual([
    { id: 1, role: 100 },
    { id: 7, role: 1 },
  ])
  expect((await run(['audit'], place)).out).toContain('audit: clean (')
})

test('a site with a root of its own takes no upload, though its set-up is not done', async () => {
  const { place, server } = await started()
  await setUpAt(server)
  await server.stop()
  await place.change('delete from setups')
  rmSync(join(place.folder, 'set-up.done'))
  const again = await startAt(place)
  expect((await page(again, PATH)).location).toBe('/setup')
  expect((await page(again, '/setup')).text).not.toContain(PATH)
  expect((await upload(again, fileOf('one-api', peopled('one-api')))).location).toBe('/setup')
})
