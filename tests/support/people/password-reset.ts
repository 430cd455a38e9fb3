/** Users who have forgotten their password, and the links mailed to them. */
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { type User, users } from '../../../src/domain/users/table.ts'
import { setOption } from '../app/options.ts'
import { anyone, cheapHash, type Person, visitor } from './person.ts'
import { configureMail, mailsTo } from './registration.ts'

export const SITE = 'https://gate.example/path'
export const OLD_PASSWORD = 'the-old-password'

/** Lets links be mailed. */
export async function configureReset() {
  await configureMail()
  await setOption('ServerAddress', SITE)
}

export const changeUser = (person: Person, change: Partial<User>) =>
  db.update(users).set(change).where(eq(users.id, person.id))

/** A user with a password and this address. */
export async function userAt(email: string): Promise<Person> {
  const person = await visitor()
  await changeUser(person, { email, password: await cheapHash(OLD_PASSWORD) })
  return person
}

type CallOptions = Parameters<typeof anyone.get>[1]

export const askForLink = (email: string, options?: CallOptions) =>
  anyone.get(`/api/reset_password?${new URLSearchParams({ email })}`, options)

/** The address in the newest mail to this one. */
export async function linkTo(email: string): Promise<URL> {
  const [mail] = await mailsTo(email)
  return new URL(/https:[^\s]+/.exec(mail!.text)![0])
}

export async function linkFor(email: string): Promise<URL> {
  const answer = await askForLink(email)
  if (!answer.success) throw new Error(answer.message)
  return linkTo(email)
}

export const tokenFor = async (email: string) => (await linkFor(email)).searchParams.get('token')!
