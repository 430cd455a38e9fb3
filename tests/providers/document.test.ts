// @engine sqlite
import { expect, test } from 'bun:test'
import { providersDocument } from '../docs/providers.ts'

test('docs/providers.md is not behind: `bun tests/docs/providers.ts` writes it', async () => {
  expect(await Bun.file('docs/providers.md').text()).toBe(providersDocument())
})
