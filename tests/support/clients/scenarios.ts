/** Runs of a real client through the gateway, and what each scenario must show. */
import { expect } from 'bun:test'
import { join } from 'node:path'
import { ROUNDS, sources } from '../makers/agent-plan.ts'
import { MENDED, type Scenario } from '../makers/maker.ts'
import { until } from '../until.ts'
import { type ClientEnd, newWorkFolder, startClient } from './client-run.ts'
import type { Gate } from './gate.ts'
import type { Route } from './grid.ts'

/** A client that has not ended by then hangs. */
const HUNG_MS = 200_000
/** Pieces of the slow stream after which its client is killed. */
const PIECES_BEFORE_KILL = 20

type Run = Awaited<ReturnType<typeof startScenario>>

export async function startScenario(gate: Gate, { client, maker }: Route, scenario: Scenario) {
  const folder = newWorkFolder()
  const words: string[] = []
  for (const [file, word] of Object.entries(sources)) {
    words.push(`${word}-${crypto.randomUUID().slice(0, 8)}`)
    await Bun.write(join(folder, file), `${words.at(-1)}\n`)
  }
  const mock = gate.mocks[maker]
  mock.begin()
  const key = await gate.keyFor(maker)
  const prompt = `Scenario ${scenario} in the folder ${folder}: read a.txt, b.txt and c.txt and write what they hold.`
  const command = await client.command({ base: gate.url, key: key.key, model: client.models[maker] ?? '' }, prompt)
  return { ...(await startClient(command, folder)), key, log: mock.log, words }
}

async function endOf({ ended, kill }: Run): Promise<ClientEnd> {
  const hung = setTimeout(() => kill('SIGKILL'), HUNG_MS)
  const end = await ended
  clearTimeout(hung)
  return end
}

const textOf = ({ out, err }: ClientEnd) => `${out}\n${err}`

export async function playScenario(gate: Gate, route: Route, scenario: Scenario) {
  const run = await startScenario(gate, route, scenario)
  await judges[scenario](run, route, gate)
  expect(run.log.violations).toEqual([])
}

const judges: Record<Scenario, (run: Run, route: Route, gate: Gate) => Promise<void>> = {
  async loop(run, route, gate) {
    const end = await endOf(run)
    expect(run.log.violations, textOf(end)).toEqual([])
    const [alpha, beta, gamma] = run.words
    expect(route.client.answer(end), textOf(end)).toContain(`DONE ${alpha} ${beta} ${gamma}`)
    expect(end.code).toBe(0)
    const written = ['ab.txt', 'c2.txt', 'sum.txt'].map(file => Bun.file(join(run.folder, file)).text())
    const texts = (await Promise.all(written)).map(text => text.trim())
    expect(texts).toEqual([`${alpha} ${beta}`, gamma!, `${alpha} ${gamma}`])
    expect(run.log.turns.length).toBe(ROUNDS + 1)
    expect(run.log.turns.at(-1)!.rounds.map(({ thought }) => thought)).toEqual(Array(ROUNDS).fill(route.thoughts))
    await expectCounted(run, route, gate, end)
  },
  async limited(run, route, gate) {
    const end = await endOf(run)
    expect(route.client.answer(end), textOf(end)).toContain('Limits are over.')
    expect({ code: end.code, failed: run.log.failed }).toEqual({ code: 0, failed: 1 })
    await expectCounted(run, route, gate, end)
  },
  async overflow(run, { client }, gate) {
    const end = await endOf(run)
    expect(textOf(end)).toMatch(client.messages.overflow)
    expect(run.log.failed).toBeGreaterThan(0)
    const { prompt } = await gate.logged(run.key, 0)
    expect(prompt).toBe(run.log.tokens.prompt)
  },
  async broken(run, { client }, gate) {
    const end = await endOf(run)
    if (!textOf(end).includes(MENDED)) expect(textOf(end)).toMatch(client.messages.broken)
    expect(run.log.failed).toBeGreaterThan(0)
    const { calls } = await gate.logged(run.key, 1)
    expect(calls).toBeLessThanOrEqual(run.log.bodies.length)
  },
  async slow(run, _, gate) {
    await Promise.race([until(() => run.log.pieces >= PIECES_BEFORE_KILL), run.ended])
    run.kill('SIGINT')
    const grace = setTimeout(() => run.kill('SIGKILL'), 3_000)
    await run.ended
    clearTimeout(grace)
    expect(run.log.pieces).toBeGreaterThanOrEqual(PIECES_BEFORE_KILL)
    const { prompt, output } = await gate.logged(run.key, run.log.bodies.length)
    expect({ prompt, output }).toEqual({ prompt: run.log.tokens.prompt, output: run.log.tokens.output })
  },
}

/** The client's own count, the maker's report and the log have the same tokens. */
async function expectCounted({ log, key }: Run, { client }: Route, gate: Gate, { out }: ClientEnd) {
  const { prompt, cached, output } = log.agentTokens
  expect(client.tokens(out)).toEqual({ prompt, cached, output })
  const billed = log.bodies.length - log.failed
  expect(await gate.logged(key, billed)).toMatchObject({
    calls: billed,
    prompt: log.tokens.prompt,
    output: log.tokens.output,
  })
}
