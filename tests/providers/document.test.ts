// @engine sqlite
/** docs/providers.md is what the code prints. */
import { expect, test } from 'bun:test'
import { providersDocument } from '../docs/providers.ts'

test('docs/providers.md is current: `bun run docs` writes it', async () => {
  expect(await Bun.file('docs/providers.md').text()).toBe(providersDocument())
})
