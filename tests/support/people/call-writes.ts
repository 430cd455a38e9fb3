/** Administrative writes about calls, for tests of every one of them. */
import { Role } from '../../../src/contracts/account.ts'
import { LOGS_PATH } from '../../../src/contracts/log.ts'
import { type Person, visitor } from './person.ts'
import { spend, write } from './usage-log.ts'

export const callWrites: Record<string, (person: Person) => Promise<unknown>> = {
  'DELETE /api/log/': async person => {
    await write(person, { created_at: 5 })
    return person.delete('/api/log/?target_timestamp=6')
  },
  'POST /app/logs/api-usage/:id/refund': async person => {
    const spender = await visitor(Role.user, 5)
    await spend(spender, { quota: 5 })
    const [{ id }] = (await person.get(`/api/log/?username=${spender.username}`)).data.items
    return person.form(`${LOGS_PATH}/${id}/refund`, { amount: '0.00001' })
  },
}
