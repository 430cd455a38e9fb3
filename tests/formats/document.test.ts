// @engine sqlite
import { expect, test } from 'bun:test'
import { formatsDocument } from '../docs/formats.ts'

test('docs/formats.md is not behind: `bun tests/docs/formats.ts` writes it', async () => {
  expect(await Bun.file('docs/formats.md').text()).toBe(formatsDocument())
})

test('every cell of it holds', () => {
  expect(formatsDocument()).not.toContain('| ✗')
})
