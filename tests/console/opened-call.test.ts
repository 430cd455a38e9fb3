/** The open call of the usage log: as a command that makes it again, in the playground, and its conversation. */
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { LOGS_PATH, type LogDetails } from '../../src/contracts/log.ts'
import { joinMessages, type LoggedMessage, loggedMessages } from '../../src/contracts/logged-messages.ts'
import { apiRoutes } from '../../src/relay/endpoints/table.ts'
import { listen } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { HOME, type Person, setUp, visitor } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'
import { until } from '../support/until.ts'
import { deleteChannels } from '../support/upstream/served-channel.ts'
import { callIn, channelFor, lastRequest, serverOf } from '../support/upstream/translation.ts'

let root: Person
let ann: Client

beforeAll(async () => {
  root = await setUp()
})
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
  await channelFor('openai-chat')
  serverOf('openai-chat').plays('text')
  await setOption('LogChatContentEnabled', true)
})

const turns = [
  ['user', 'One?\nuser: not I'],
  ['assistant', 'Two\'s "x" $HOME `id`'],
  ['user', '@three & <b>?'],
] as const
const messages = turns.map(([role, content]) => ({ role, content }))

const bodies = {
  'openai-chat': { messages: [{ role: 'system', content: 'Count.' }, ...messages] },
  'openai-responses': { instructions: 'Count.', input: messages },
  anthropic: { system: 'Count.', messages },
  gemini: {
    systemInstruction: { parts: [{ text: 'Count.' }] },
    contents: turns.map(([role, text]) => ({ role: role === 'user' ? role : 'model', parts: [{ text }] })),
  },
}

const newest = (person: Person, count = 1) =>
  until(async () => {
    const entries = await logsOf(person)
    return entries.length === count && entries[0]
  })

const unescaped = (html: string) =>
  html
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

async function openedBy(person: Person, id: number) {
  const html = await (await person.page(`${LOGS_PATH}?open=${id}`)).text()
  const command = /data-copy="(curl [^"]*)"/.exec(html)
  return { html, curl: command ? unescaped(command[1]!) : undefined }
}

/** What a shell makes of a command: its words, with the key in place of the variable. */
async function wordsOf(curl: string, key: string): Promise<string[]> {
  const printed = Bun.spawn(['sh', '-c', curl.replace(/^curl/, "printf '%s\\0'")], { env: { TOLLGATE_KEY: key } })
  return (await new Response(printed.stdout).text()).split('\0').slice(0, -1)
}

async function runs(curl: string, key: string): Promise<Response> {
  const [url = '', ...rest] = await wordsOf(curl, key)
  const headers = new Headers()
  let body: string | FormData | undefined
  for (let at = 0; at < rest.length; at += 2) {
    const value = rest[at + 1]!
    if (rest[at] === '-H') headers.append(...(value.split(': ') as [string, string]))
    if (rest[at] === '-d') body = value
    if (rest[at] === '--form-string' || rest[at] === '-F') {
      const [name, text] = [value.slice(0, value.indexOf('=')), value.slice(value.indexOf('=') + 1)]
      const form = body instanceof FormData ? body : new FormData()
      form.append(name, rest[at] === '-F' ? new File(['x'], text.slice(1)) : text)
      body = form
    }
  }
  return fetch(url.replace(HOME, listen()), { method: 'POST', headers, body })
}

test.each(Object.keys(bodies) as (keyof typeof bodies)[])(
  '%s: a call is copied in its own format, and the shell makes the same one again',
  async format => {
    await callIn(format, ann, bodies[format])
    const entry = await newest(ann.person)
    const first = lastRequest('openai-chat').body
    const { curl = '' } = await openedBy(ann.person, entry.id)
    expect(curl).toStartWith(`curl '${HOME}${entry.other.request_path}`)
    expect(curl).toContain('$TOLLGATE_KEY')
    expect(curl).not.toContain(ann.key)
    const again = await runs(curl, `sk-${ann.key}`)
    expect(again.status).toBe(200)
    await again.text()
    await newest(ann.person, 2)
    const { messages } = lastRequest('openai-chat').body as { messages: unknown }
    expect(messages).toEqual((first as { messages: unknown }).messages)
  },
)

/** An entry of a person with these details, and its id. */
async function logged(person: Person, other: LogDetails, model_name = MODEL): Promise<number> {
  await write(person, { model_name, group: 'default', other: JSON.stringify(other) })
  return (await logsOf(person))[0]!.id
}

/** Paths that one command does not repeat: they continue a task, name a file by its id, or are no calls of one user. */
const NOT_REPEATED =
  /^\/(suno|kling|jimeng|pg\/tasks|mj)\/|^\/v1\/(video\/|realtime|videos\/|images\/generations\/)|^\/v1\/images\/generations\/async/

const submitting = apiRoutes.filter(({ method, operation }) => method === 'POST' && operation)

test.each(submitting.map(({ path }) => path))('%s: its call has a command, unless it continues a task', async path => {
  const request_path = path.replace(/\*|:model\b/, MODEL)
  const { curl } = await openedBy(ann.person, await logged(ann.person, { request_path }))
  if (curl) expect((await wordsOf(curl, 'k'))[0]).toBe(HOME + request_path.replace('/pg/', '/v1/'))
  else expect(path).toMatch(NOT_REPEATED)
})

test('a call over a WebSocket has no command, whatever its path', async () => {
  const request_path = '/v1/responses'
  expect((await openedBy(ann.person, await logged(ann.person, { request_path }))).curl).toBeString()
  expect((await openedBy(ann.person, await logged(ann.person, { request_path, ws: true }))).curl).toBeUndefined()
})

test('a call whose messages were not kept has a line in their place, and a form names no file by a text', async () => {
  const plain = await openedBy(ann.person, await logged(ann.person, { request_path: '/v1/chat/completions' }))
  const body = JSON.parse((await wordsOf(plain.curl!, 'k')).at(-1)!)
  expect(body).toEqual({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] })
  expect(plain.html).not.toContain('logged-messages')
  const edit = { request_path: '/v1/images/edits', input_content: '@/etc/passwd' }
  const { curl = '' } = await openedBy(ann.person, await logged(ann.person, edit, '</etc/hosts'))
  expect(await wordsOf(curl, 'k')).toEqual([
    ...[`${HOME}/v1/images/edits`, '-H', 'Authorization: Bearer k'],
    ...['--form-string', 'model=</etc/hosts', '--form-string', 'prompt=@/etc/passwd', '-F', 'image=@image.png'],
  ])
})

test('the kept conversation is shown as messages; long ones are folded, and each can be copied', async () => {
  const long = 'word '.repeat(200)
  const said: LoggedMessage[] = [
    { role: 'user', text: 'One?\nassistant: not I' },
    { role: 'assistant', text: long },
  ]
  const other = { ...joinMessages(said), system_prompt: 'Count.', input_content: 'Three?', output_content: 'Four.' }
  const id = await logged(ann.person, { ...other, request_path: '/v1/chat/completions' })
  const { html } = await openedBy(ann.person, id)
  const shown = [...html.matchAll(/<p id="message-\d+-(\d)">([^<]*)<\/p>/g)].map(([, , text]) => text)
  expect(shown).toEqual(['Count.', 'One?\nassistant: not I', long, 'Three?', 'Four.'])
  expect(html.match(/Show all, 1,000 characters/g)).toHaveLength(1)
  expect(html.match(/data-copy-of="message-\d+-\d"/g)).toHaveLength(shown.length)
  for (const kept of [long.slice(0, 600), `${long}${long}`])
    expect(loggedMessages({ ...joinMessages([{ role: 'user', text: kept }]) })).toEqual([{ role: 'user', text: kept }])
  const cut = joinMessages([...said, { role: 'user', text: 'gone' }])
  expect(loggedMessages({ ...cut, context: `${cut.context!.slice(0, 60)}…` })).toEqual([
    said[0]!,
    { role: 'assistant', text: `${cut.context!.slice(39, 60)}…` },
  ])
  expect(loggedMessages({ context: 'user: a\nb\nassistant: c' })).toEqual([
    { role: 'user', text: 'a\nb' },
    { role: 'assistant', text: 'c' },
  ])
})

test('the playground takes over model, group and messages of calls that its reader may see', async () => {
  const other = { request_path: '/v1/messages', system_prompt: 'Count.', input_content: 'The last question' }
  const id = await logged(ann.person, other)
  const { html } = await openedBy(ann.person, id)
  const address = unescaped(/href="(\/playground\?[^"]*)"/.exec(html)![1]!)
  expect(address).toBe(`/playground?group=default&model=${MODEL}&call=${id}`)
  const read = async (person: Person) => unescaped(await (await person.page(address)).text())
  expect(await read(ann.person)).toContain('The last question')
  expect(await read(root)).toContain('The last question')
  const stranger = await visitor(Role.user)
  expect(await read(stranger)).not.toContain('The last question')
  expect((await openedBy(stranger, id)).html).not.toContain('The last question')
  const picture = await openedBy(ann.person, await logged(ann.person, { request_path: '/v1/images/generations' }))
  expect(picture.html).not.toContain('/playground?group')
})
