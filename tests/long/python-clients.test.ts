// @engine sqlite
/** Python's clients: their guides, and agent loops of LangChain and OpenAI Agents over each maker. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { snippets } from '../../views/tokens/snippets.ts'
import { newWorkFolder, startClient } from '../support/clients/client-run.ts'
import { Gate } from '../support/clients/gate.ts'
import '../support/clients/grid.ts'
import { guideIn } from '../support/clients/guides.ts'
import { pythonMissing, pythonPrograms, pythonScript } from '../support/clients/python.ts'
import { ROUNDS, sources } from '../support/makers/agent-plan.ts'
import { GREETING, type Maker, makers } from '../support/makers/maker.ts'

const INSTALL_MS = 900_000
const models: Record<Maker, string> = {
  openai: 'gpt-5.1',
  anthropic: 'claude-opus-4-8',
  gemini: 'gemini-3.1-pro-preview',
}
const aiderOptions =
  "--message 'Say hello' --yes-always --no-git --no-check-update --no-show-model-warnings --analytics-disable"

const libraries = () =>
  pythonPrograms(
    'openai',
    'anthropic',
    'langchain-openai',
    'langchain-anthropic',
    'langchain-google-genai',
    'openai-agents',
  )

const python = async (code: string) => ({ program: join(await libraries(), 'python'), args: ['-c', code], env: {} })

const reason = pythonMissing()

if (reason) test(`Python's clients do not run here: ${reason}`, () => expect(reason).not.toBe(''))
else {
  const gate = await Gate.open()
  testGuides(gate)
  testLoops(gate)
  test('bills of Python clients are clean', async () => expect(await gate.audit()).toStartWith('audit: clean'))
}

function testGuides(gate: Gate) {
  async function expectGreeting(maker: Maker, run: Awaited<ReturnType<typeof startClient>>) {
    const end = await run.ended
    expect({ shown: end.out.includes(GREETING), code: end.code, end }).toMatchObject({ shown: true, code: 0 })
    expect(gate.mocks[maker].log.violations).toEqual([])
  }

  for (const id of ['python', 'langchain'])
    test(
      `the guide of ${id} makes a first call`,
      async () => {
        gate.mocks.openai.begin()
        const { code } = guideIn(await gate.guidePage(id, await gate.keyFor('openai')))
        await expectGreeting('openai', await startClient(await python(code), newWorkFolder()))
      },
      INSTALL_MS,
    )

  test(
    'the guide of aider makes a first call',
    async () => {
      gate.mocks.openai.begin()
      const { code } = guideIn(await gate.guidePage('aider', await gate.keyFor('openai')))
      const path = `PATH="${await pythonPrograms('aider-chat')}:$PATH"`
      const command = { program: 'bash', args: ['-c', `${path}\n${code} ${aiderOptions}`], env: {} }
      await expectGreeting('openai', await startClient(command, newWorkFolder()))
    },
    INSTALL_MS,
  )

  for (const [id, maker] of [
    ['python', 'openai'],
    ['anthropic', 'anthropic'],
  ] as const)
    test(`the snippet of a key's page for ${id} makes a first call`, async () => {
      gate.mocks[maker].begin()
      const { key } = await gate.keyFor(maker)
      const { write } = snippets.find(snippet => snippet.id === id)!
      const code = write({ base: gate.url, key, model: models[maker] })
      await expectGreeting(maker, await startClient(await python(code), newWorkFolder()))
    })
}

function testLoops(gate: Gate) {
  const loops = [
    ...['openai', 'anthropic', 'gemini'].map(kind => ['langchain_loop', kind] as const),
    ...['chat', 'responses'].map(kind => ['agents_loop', kind] as const),
  ]
  for (const [script, kind] of loops)
    for (const maker of makers)
      test(`${script} by ${kind} ends over ${maker}`, async () => {
        gate.mocks[maker].begin()
        const { log } = gate.mocks[maker]
        const key = await gate.keyFor(maker)
        const folder = newWorkFolder()
        for (const [file, word] of Object.entries(sources)) await Bun.write(join(folder, file), `${word}-1`)
        const prompt = `Scenario loop in the folder ${folder}: read a.txt, b.txt and c.txt and write what they hold.`
        const args = [pythonScript(script), kind, gate.url, key.key, models[maker], prompt]
        const run = await startClient({ program: join(await libraries(), 'python'), args, env: {} }, folder)
        const end = await run.ended
        expect(log.violations, end.err).toEqual([])
        expect(end.out, end.err).toContain('DONE alpha-1 beta-1 gamma-1')
        const { prompt: input, output } = log.tokens
        expect(await gate.logged(key, ROUNDS + 1)).toMatchObject({ prompt: input, output })
      })
}
