// @engine sqlite
/** docs/providers.md, and the tables of docs/tasks.md, are what the code prints. */
import { expect, test } from 'bun:test'
import { providersDocument } from '../docs/providers.ts'
import { tasksDocument } from '../docs/tasks.ts'

test('docs/providers.md is current: `bun run docs` writes it', async () => {
  expect(await Bun.file('docs/providers.md').text()).toBe(providersDocument())
})

test('the tables of docs/tasks.md are current: `bun run docs` writes them', async () => {
  const written = await Bun.file('docs/tasks.md').text()
  expect(written).toBe(tasksDocument(written))
})
