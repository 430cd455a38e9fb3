// @engine sqlite
/** docs/clients.md is the grid of the tests. */
import { expect, test } from 'bun:test'
import { clientsDocument } from '../docs/clients.ts'

test('docs/clients.md is current', async () => expect(await Bun.file('docs/clients.md').text()).toBe(clientsDocument()))
