/** Users whose balance is about to be low, and how they want to learn of it. */
import { expect } from 'bun:test'
import type { Language } from '../../../src/locales/languages.ts'
import { type Client, client, RICH } from './client.ts'
import type { Person } from './person.ts'

/** Someone whose next call leaves less than the threshold. */
export async function lowBalanceUser(setting: object, language: Language = 'en'): Promise<Client> {
  const ann = await client()
  await choose(ann.person, { quota_warning_threshold: RICH, ...setting }, language)
  return ann
}

export async function choose(person: Person, setting: object, language: Language = 'en') {
  const { success, message } = await person.put('/api/user/setting', setting, { language })
  if (!success) throw new Error(message)
}

export const mailTo = (name: string) => ({ notification_email: `${name}@example.com` })

/** One call, to the last byte of its response. */
export async function call(ann: Client) {
  const response = await ann.chat()
  expect(response.status).toBe(200)
  await response.text()
}
