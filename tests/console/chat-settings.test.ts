/** Chat settings that open nothing. */
import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { loadOptions } from '../../src/domain/options/index.ts'
import { options } from '../../src/domain/options/table.ts'
import { setOption } from '../support/app/options.ts'
import { chats, openPage, setChats, withKey } from '../support/people/chats.ts'
import { setUp } from '../support/people/person.ts'

await setUp()
beforeEach(() => setChats(chats))

/** As an older version or another gateway has stored them. */
const storeChats = async (value: string) => {
  await setChats([])
  await db.update(options).set({ value }).where(eq(options.key, 'Chats'))
  await loadOptions()
}

test.each<[string, () => Promise<unknown>, string, string]>([
  ['no chats', () => setChats([]), '/chat', 'No chat links are set up. Please ask the administrator'],
  ['no site among the chats', () => setChats([chats[0]!]), '/chat2link', 'No chat links are set up'],
  ['a stored text that is no JSON', () => storeChats('[{"Next"'), '/chat', 'The chat settings cannot be read'],
  ['a stored script', () => storeChats('[{"x":"javascript:alert(1)"}]'), '/chat/0', 'The chat settings cannot be read'],
  ['no chat of this number', async () => {}, '/chat/9', 'This chat link is not set up correctly. Please contact'],
  ['an app, which no frame can show', async () => {}, '/chat/0', 'This chat link is not set up correctly'],
  [
    'a key in the host',
    () => storeChats('[{"x":"https://{key}.example/"}]'),
    '/chat/0',
    'This chat link is not set up correctly',
  ],
  [
    'a host that would end a policy',
    () => storeChats('[{"x":"https://a;b.example/{key}"}]'),
    '/chat/0',
    'This chat link is not set up correctly',
  ],
])('settings with %s are reported instead of a frame', async (_, change, path, message) => {
  const { person } = await withKey()
  await change()
  const { response, html, frame } = await openPage(person, path)
  expect([response.status, frame]).toEqual([404, undefined])
  expect(html).toContain(message)
})

test.each(['javascript:alert(1)', ' JaVaScRiPt:x', 'data:text/html,x', 'vbscript:x'])(
  'the address %p is refused as it is saved',
  async address => {
    await expect(setChats([{ x: address }])).rejects.toThrow()
    await expect(setOption('chat_link', address)).rejects.toThrow()
  },
)
