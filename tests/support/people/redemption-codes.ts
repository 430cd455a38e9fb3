/** Codes that an administrator creates, and people who redeem them. */
import { type Answer, type Person, setUp } from './person.ts'

type Fields = Record<string, unknown>

/** New codes of root's, as text. */
export async function newCodes(fields: Fields = {}): Promise<string[]> {
  const root = await setUp()
  return (await root.post('/api/redemption/', fields)).data
}

export async function newCode(fields: Fields = {}): Promise<string> {
  const [key] = await newCodes(fields)
  return key!
}

/** A code as the list has it. */
export interface ListedCode {
  id: number
  key: string
  [field: string]: any
}

/** A new code's row, the newest of the list. */
export async function newRow(fields: Fields = {}): Promise<ListedCode> {
  await newCode(fields)
  return latest()
}

export async function latest(): Promise<ListedCode> {
  const root = await setUp()
  return (await root.get('/api/redemption/?p=1&page_size=1')).data.items[0]
}

export async function rowOf(id: number): Promise<ListedCode> {
  const root = await setUp()
  return (await root.get(`/api/redemption/${id}`)).data
}

interface From {
  /** IP address, that of this machine otherwise. */
  address?: string
  idempotency_key?: string
}

export const redeem = (person: Person, key: unknown, { address, idempotency_key }: From = {}): Promise<Answer> =>
  person.post(
    '/api/user/topup',
    { key },
    {
      headers: {
        ...(address && { 'x-forwarded-for': address }),
        ...(idempotency_key && { 'idempotency-key': idempotency_key }),
      },
    },
  )
