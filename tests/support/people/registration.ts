/** People who sign up, and the mails that wait for them. */
import { desc, eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { mails } from '../../../src/domain/mail/table.ts'
import { users } from '../../../src/domain/users/table.ts'
import { setOption } from '../app/options.ts'
import { anyone } from './person.ts'

export const PASSWORD = 'a-long-password'

let count = 0

/** The fields of a registration, with a username of its own. */
export const registrationFields = (fields: Record<string, unknown> = {}) => ({
  username: `newcomer${++count}`,
  password: PASSWORD,
  password2: PASSWORD,
  ...fields,
})

type CallOptions = Parameters<typeof anyone.post>[2]

export const register = (fields: Record<string, unknown> = {}, options?: CallOptions) =>
  anyone.post('/api/user/register', registrationFields(fields), options)

export async function userNamed(username: string) {
  const [user] = await db.select().from(users).where(eq(users.username, username))
  return user
}

/** Lets mails be queued; this server is never connected to. */
export async function configureMail() {
  await setOption('SMTPServer', 'mail.invalid')
  await setOption('SMTPFrom', 'console@tollgate.example')
}

/** Queued mails to an address, the newest first. */
export const mailsTo = (address: string) =>
  db.select().from(mails).where(eq(mails.recipient, address)).orderBy(desc(mails.id))

export const askForCode = (email: string, options?: CallOptions) =>
  anyone.get(`/api/verification?${new URLSearchParams({ email })}`, options)

/** Asks for a code. @returns the code in the mail */
export async function codeFor(email: string): Promise<string> {
  const answer = await askForCode(email)
  if (!answer.success) throw new Error(answer.message)
  const [mail] = await mailsTo(email)
  return /^\d{6}$/m.exec(mail!.text)![0]
}

/** A code that is wrong. */
export const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
