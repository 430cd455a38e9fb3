// @engine sqlite
// @waits
// @tier long
/** `npm start` is stopped in every way that a person or a supervisor stops it: its streams finish and are billed. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { newFolder, run, type Server, startServer } from '../support/app/server.ts'
import { ask, makeSite } from '../support/app/site.ts'
import { membersOf } from '../support/process/group.ts'
import { until } from '../support/until.ts'
import { fakeUpstream, type Script } from '../support/upstream/openai.ts'

const model = 'gpt-4o-mini'
const STREAMS = 50
/** Of each stream. */
const TOKENS = 2
/** By npm with the start script alone: what it builds before is no part of the server's processes. */
const command = ['npm', 'start', '--ignore-scripts']

const upstream = await fakeUpstream()
const servers: Server[] = []
afterAll(() => {
  upstream.stop()
  for (const { process: leader } of servers) for (const { pid } of membersOf(leader.pid)) process.kill(pid, 'SIGKILL')
})

interface Tree {
  npm: number
  launcher: number
  server: number
}

/** npm, the shell of its script, the launcher, Bun. */
function treeOf(npm: number): Tree {
  const members = membersOf(npm)
  const launcher = members.find(({ pid, command }) => pid !== npm && /^\S*node src\/launch/.test(command))!.pid
  return { npm, launcher, server: members.find(({ parent }) => parent === launcher)!.pid }
}

const isGone = async ({ url }: Server) =>
  (await fetch(`${url}/healthz`, { keepalive: false }).catch(() => null)) === null

function usageIn(folder: string) {
  const database = new Database(join(folder, 'tollgate.db'), { readonly: true })
  const usage = database.query('select calls, completion_tokens from usage_hourly').all()
  database.close()
  return usage
}

const event = (value: object) => `data: ${JSON.stringify({ id: 'x', ...value })}\n\n`
const choice = (delta: object, finish_reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] })

/** A stream that begins, and ends with its report when `end` resolves. */
const endsWith =
  (end: Promise<void>): Script =>
  async (_, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(event(choice({ content: 'one two' }, null)))
    await end
    await answer.write(event(choice({}, 'stop')))
    await answer.write(
      event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: TOKENS, total_tokens: 9 + TOKENS } }),
    )
    await answer.write('data: [DONE]\n\n')
    await answer.end()
  }

const exits = ({ process: leader }: Server) => leader.exited.then(() => leader.signalCode ?? leader.exitCode)

const term = (...pids: number[]) => {
  for (const pid of pids) process.kill(pid, 'SIGTERM')
}

test.each<[string, (tree: Tree) => void, (tree: Tree) => void, NodeJS.Signals | 0]>([
  ['by SIGTERM to npm', ({ npm }) => term(npm), () => undefined, 'SIGTERM'],
  [
    'by SIGTERM to the whole group and to what is left of it again',
    ({ npm }) => term(-npm),
    ({ launcher, server }) => term(launcher, server, launcher),
    'SIGTERM',
  ],
  ['by SIGTERM to the launcher', ({ launcher }) => term(launcher), () => undefined, 0],
  ['by SIGTERM to Bun', ({ server }) => term(server), () => undefined, 0],
  ['by Ctrl+C at a terminal', ({ npm }) => process.kill(-npm, 'SIGINT'), () => undefined, 'SIGINT'],
  ['by SIGKILL to npm', ({ npm }) => process.kill(npm, 'SIGKILL'), () => undefined, 'SIGKILL'],
])('npm start, stopped %s, finishes and bills 50 streams', async (_, stop, stopAgain, ending) => {
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  upstream.scripts(model, endsWith(end))
  const server = await startServer({ command, args: [], detached: true, folder: newFolder() })
  servers.push(server)
  const key = await makeSite(server.url, upstream, model)
  const asked = upstream.journal.length
  const calls = Array.from({ length: STREAMS }, () => ask(server.url, key, { model, content: 'Count', stream: true }))
  await until(() => upstream.journal.length === asked + STREAMS)

  const tree = treeOf(server.process.pid)
  stop(tree)
  await until(() => isGone(server))
  stopAgain(tree)
  expect(membersOf(tree.npm).map(({ pid }) => pid)).toContain(tree.launcher)
  finish()
  const answers = await Promise.all(calls)
  expect(answers.filter(({ whole }) => whole)).toHaveLength(STREAMS)
  expect(await exits(server)).toBe(ending)
  await until(() => membersOf(tree.npm).length === 0)

  expect((await run(['audit'], { folder: server.folder })).code).toBe(0)
  expect(usageIn(server.folder)).toMatchObject([{ calls: STREAMS, completion_tokens: STREAMS * TOKENS }])
})
