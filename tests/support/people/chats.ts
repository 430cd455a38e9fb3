/** The chats of a site, users with a key for them, and pages as they come. */
import { setOption } from '../app/options.ts'
import { type Person, visitor } from './person.ts'

export const SITE = 'https://chat.example'
const next = `${SITE}/#/?settings={"key":"{key}","url":"{address}"}`
const lobe = 'https://lobe.example:8443/?set={"k": "{key}","u":"{address}/v1"}'
export const chats = [{ AMA: 'ama://set-api-key?server={address}&key={key}' }, { Next: next }, { Lobe: lobe }]

export const setChats = (list: object[]) => setOption('Chats', JSON.stringify(list))
export interface Keyed {
  person: Person
  id: number
  key: string
}

export async function withKey(fields: object = {}): Promise<Keyed> {
  const person = await visitor()
  const { data } = await person.post('/api/token/', { name: 'laptop', unlimited_quota: true, ...fields })
  return { person, id: data.id, key: `sk-${data.key}` }
}

/** A page as it is, with the attributes of its frame, if it has one. */
export async function openPage(person: Person, path: string, cookie = person.cookie) {
  const response = await person.page(path, { headers: { cookie } })
  const html = await response.text()
  const frame = /<iframe [^>]*>/.exec(html)?.[0]
  return { response, html, frame, attribute: (name: string) => attributeOf(frame, name) }
}

export const attributeOf = (tag: string | undefined, name: string) =>
  new RegExp(` ${name}="([^"]*)"`, 'i')
    .exec(tag ?? '')?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
