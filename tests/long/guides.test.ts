// @engine sqlite
/** Every guide of the API page and of a key's page works in its own client, with the key and the model that the page put in. */
import { expect, test } from 'bun:test'
import { clientGuides } from '../../views/api-docs/clients.ts'
import { snippets } from '../../views/tokens/snippets.ts'
import { Gate } from '../support/clients/gate.ts'
import { routes } from '../support/clients/grid.ts'
import { formGuides, guideIn, guideRuns, pythonGuides, runGuide, textOf } from '../support/clients/guides.ts'
import { GREETING, makers } from '../support/makers/maker.ts'

const gate = await Gate.open()

for (const [id, { maker }] of Object.entries(guideRuns))
  test(`the guide of ${id} makes a first call`, async () => {
    gate.mocks[maker].begin()
    const key = await gate.keyFor(maker)
    const shown = guideIn(await gate.guidePage(id, key))
    expect(textOf(shown)).toContain(key.key)
    const end = await runGuide(id, shown)
    expect({ shown: end.out.includes(GREETING), code: end.code, end }).toMatchObject({ shown: true, code: 0 })
    const { violations, bodies } = gate.mocks[maker].log
    expect({ violations, called: bodies.length > 0 }).toEqual({ violations: [], called: true })
  })

test('the guides name models that a limited key may use', async () => {
  const key = await gate.keyFor('openai', { model_limits_enabled: true, model_limits: 'gpt-4o-mini,claude-sonnet-4-6' })
  const named = async (id: string) => textOf(guideIn(await gate.guidePage(id, key)))
  expect(await named('claude-code')).toContain('ANTHROPIC_MODEL="claude-sonnet-4-6"')
  for (const id of ['codex', 'gemini-cli', 'opencode', 'qwen-code', 'aider', 'ai-sdk', 'continue', 'curl'])
    expect([id, await named(id)]).toEqual([id, expect.stringContaining('gpt-4o-mini')])
})

for (const id of formGuides)
  test(`the form of ${id} points at the API and has the key`, async () => {
    const key = await gate.keyFor('openai')
    const page = await gate.guidePage(id, key)
    const urls = [...page.matchAll(/<td class="mono break-all">(http[^<]+)<\/td>/g)].map(([, url]) => url!)
    const base = urls.at(-1)!.replace(/\/v1$/, '')
    expect(page).toContain(key.key)
    const response = await fetch(`${base}/v1/models`, { headers: { authorization: `Bearer ${key.key}` } })
    expect(response.status).toBe(200)
  })

for (const snippet of snippets.filter(({ id }) => id in guideRuns))
  test(`the snippet of a key's page for ${snippet.id} makes a first call`, async () => {
    const maker = makers.find(one => one === guideRuns[snippet.id]!.maker)!
    gate.mocks[maker].begin()
    const { key } = await gate.keyFor(maker)
    const model = routes.find(route => route.maker === maker && route.client.models[maker])!.client.models[maker]!
    const end = await runGuide(snippet.id, { files: {}, code: snippet.write({ base: gate.url, key, model }) })
    expect({ shown: end.out.includes(GREETING), code: end.code, end }).toMatchObject({ shown: true, code: 0 })
  })

test('every guide is run by its client', () => {
  const known = [...Object.keys(guideRuns), ...pythonGuides, ...formGuides].sort()
  expect(clientGuides.map(({ id }) => id).sort()).toEqual(known)
})
