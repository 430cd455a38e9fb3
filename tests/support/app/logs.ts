/** The usage log as root reads it. */
import { type Person, setUp } from '../people/person.ts'

/** The newest entries of the log, newest first, details parsed; seen by root. */
export async function logsOf(person: Person, type = 2) {
  const root = await setUp()
  const { data } = await root.get(`/api/log/?p=1&page_size=20&type=${type}&username=${person.username}`)
  return data.items.map((item: { other: string }) => ({ ...item, other: JSON.parse(item.other || '{}') }))
}
