// @engine sqlite
/** Real clients in agent loops of four rounds with parallel calls, natively and across. All routes and failures: tests/long/clients.test.ts. */
import { expect, test } from 'bun:test'
import { Gate } from '../support/clients/gate.ts'
import { routeOf } from '../support/clients/grid.ts'
import { playScenario } from '../support/clients/scenarios.ts'
import type { Maker } from '../support/makers/maker.ts'

const chosen: [client: string, maker: Maker][] = [
  ['claude-code', 'anthropic'],
  ['claude-code', 'gemini'],
  ['codex', 'openai'],
  ['codex', 'gemini'],
  ['gemini-cli', 'gemini'],
  ['gemini-cli', 'openai'],
  ['opencode-openai', 'openai'],
  ['opencode-google', 'anthropic'],
]

const gate = await Gate.open()

for (const [id, maker] of chosen)
  test(`${id} ends an agent loop over ${maker}`, () => playScenario(gate, routeOf(id, maker), 'loop'))

test('bills of real clients are clean', async () => expect(await gate.audit()).toStartWith('audit: clean'))
