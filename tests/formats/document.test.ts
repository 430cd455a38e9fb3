// @engine sqlite
/** docs/formats.md is what the code prints. */
import { expect, test } from 'bun:test'
import { formatsDocument } from '../docs/formats.ts'

test('docs/formats.md is current: `bun run docs` writes it', async () => {
  expect(await Bun.file('docs/formats.md').text()).toBe(formatsDocument())
})

test('docs/formats.md shows no pair of formats that fails', () => {
  expect(formatsDocument()).not.toContain('| ✗')
})
