/** Options, set by root through the API. */
import { setUp } from '../people/person.ts'

export async function setOption(key: string, value: unknown) {
  const answer = await (await setUp()).put('/api/option/', { key, value })
  if (!answer.success) throw new Error(answer.message)
}
