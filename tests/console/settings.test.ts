/** The settings page, without scripts. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { setUp, visitor } from '../support/people/person.ts'

test('every tab opens for administrators', async () => {
  await setUp()
  const admin = await visitor(Role.admin)
  for (const tab of ['operation', 'ratelimit', 'models', 'system', 'other']) {
    const response = await admin.page(`/admin/settings?tab=${tab}`)
    const text = await response.text()
    expect([tab, response.status, text.includes('id="section-')]).toEqual([tab, 200, true])
  }
})
