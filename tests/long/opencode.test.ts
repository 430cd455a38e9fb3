// @engine sqlite
/** opencode by OpenAI's two APIs in every scenario of every route. */
import { expect, test } from 'bun:test'
import { Gate } from '../support/clients/gate.ts'
import { routes } from '../support/clients/grid.ts'
import { playScenario } from '../support/clients/scenarios.ts'
import { scenarios } from '../support/makers/maker.ts'

const gate = await Gate.open()

for (const route of routes.filter(({ client }) => /^opencode-(?:compatible|openai)$/.test(client.id)))
  for (const scenario of scenarios)
    test(`${route.client.id} over ${route.maker}: ${scenario}`, () => playScenario(gate, route, scenario))

test('bills of real clients are clean', async () => expect(await gate.audit()).toStartWith('audit: clean'))
