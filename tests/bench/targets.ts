/** The processes side by side: the upstream, the bare proxy, and Tollgate as it runs in production. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Target = { name: string; url: string; key: string; pid: number }

/** One core for what is measured, the other for the upstream and the load, so that neither starves the other. */
export const cores = Bun.which('taskset')
  ? { measured: ['taskset', '-c', '0'], rest: ['taskset', '-c', '1'] }
  : { measured: [], rest: [] }

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
const children: Bun.Subprocess[] = []
const start_ms = 20_000
const MODELS = ['bench', 'paced', 'thoughtful', 'limited']
/** Claude's frames, those of Converse, and a first word that comes late. */
const BEDROCK_MODELS = ['claude-bedrock', 'nova-bedrock', 'thoughtful-bedrock']
const key = 'sk-bench'
/** Every request is signed with it. */
const bedrock_key = 'AKIDEXAMPLE00000000|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1'

const settings = {
  PATH: process.env.PATH!,
  HOME: process.env.HOME!,
  NODE_ENV: 'production',
  BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
  HOST: '127.0.0.1',
  PORT: '0',
  DATA_DIR: folder,
  LOG_LEVEL: 'error',
}

export const startUpstream = (): Promise<Target> =>
  start('direct', [...cores.rest, process.execPath, 'tests/bench/mock.ts'])

export async function startTargets(): Promise<Target[]> {
  const upstream = await startUpstream()
  const bare = await start('bare', [...cores.measured, process.execPath, 'tests/bench/bare.ts', upstream.url])
  const tollgate = await start('Tollgate', [...cores.measured, await build()])
  tollgate.key = await setUp(tollgate.url, upstream.url)
  return [upstream, bare, tollgate]
}

/** Two builds of Tollgate side by side, each with a database of its own: that of a commit, and what is there now. */
export async function startGateways(commit: string): Promise<Target[]> {
  const upstream = await startUpstream()
  const builds = { [commit]: await buildOf(commit), now: await build() }
  const gateways: Target[] = []
  for (const [name, file] of Object.entries(builds)) gateways.push(await startGateway(name, file, upstream.url))
  return gateways
}

/** The executable with a data folder of its own, or with that of one that ended; `ready_ms` from its start to its address. */
export async function startExecutable(
  file: string,
  data = mkdtempSync(join(folder, 'data-')),
  more: Record<string, string> = {},
) {
  const begin = performance.now()
  const target = await start('Tollgate', [...cores.measured, file], { DATA_DIR: data, ...more })
  return { ...target, data, ready_ms: performance.now() - begin }
}

/** What is there now, without these variables and with them. */
export async function startVariants(variables: Record<string, string>): Promise<Target[]> {
  const upstream = await startUpstream()
  const file = await build()
  return [await startGateway('without', file, upstream.url), await startGateway('with', file, upstream.url, variables)]
}

async function startGateway(name: string, file: string, upstream: string, more: Record<string, string> = {}) {
  const data = { DATA_DIR: mkdtempSync(join(folder, 'data-')), ...more }
  const target = await start(name, [...cores.measured, file], data)
  return { ...target, key: await setUp(target.url, upstream) }
}

/** The executable, built of what is there now. */
export async function build(): Promise<string> {
  const file = join(folder, 'tollgate')
  await Bun.$`${process.execPath} src/build.ts ${file}`.quiet()
  return file
}

/** The executable of a commit, built in a working tree of its own. */
async function buildOf(commit: string): Promise<string> {
  const [tree, file] = [join(folder, 'tree'), join(folder, 'tollgate-before')]
  await Bun.$`git worktree add --detach ${tree} ${commit}`.quiet()
  try {
    await Bun.$`${process.execPath} install --frozen-lockfile --silent`.cwd(tree).quiet()
    await Bun.$`${process.execPath} src/build.ts ${file}`.cwd(tree).quiet()
  } finally {
    await Bun.$`git worktree remove --force ${tree}`.quiet()
  }
  return file
}

/** A server of the sources whose steps are recorded: `toggle` begins, and ends with what was recorded. */
export async function startFromSource(figure: string) {
  const child = Bun.spawn(
    [...cores.measured, process.execPath, '--preload', './tests/bench/steps-recorder.ts', 'src/main.ts'],
    {
      env: { ...settings, DATA_DIR: mkdtempSync(join(folder, 'data-')), STEPS: figure },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  children.push(child)
  const url = await addressOf(child, 'the server')
  const lines = child.stderr.pipeThrough(new TextDecoderStream()).getReader()
  let read = ''
  const nextLine = async () => {
    while (!read.includes('\n')) read += (await lines.read()).value ?? ''
    const [line, ...rest] = read.split('\n')
    read = rest.join('\n')
    return line!
  }
  const toggle = async () => {
    child.kill('SIGUSR2')
    return nextLine()
  }
  return { url, toggle }
}

export async function stopTargets() {
  for (const child of children) child.kill()
  await Promise.all(children.map(child => child.exited))
  rmSync(folder, { recursive: true, force: true })
}

/** Starts a program and waits for the address that it prints. */
async function start(name: string, command: string[], more: Record<string, string> = {}): Promise<Target> {
  const child = Bun.spawn(command, { env: { ...settings, ...more }, stdout: 'pipe', stderr: 'inherit' })
  children.push(child)
  return { name, url: await addressOf(child, name), key, pid: child.pid }
}

async function addressOf(child: Bun.Subprocess<any, 'pipe', any>, name: string): Promise<string> {
  const patience = setTimeout(() => child.kill(), start_ms)
  let printed = ''
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text
    const url = /http:\S+/.exec(printed)?.[0]
    if (!url) continue
    clearTimeout(patience)
    return url.replace('localhost', '127.0.0.1')
  }
  throw new Error(`${name} did not start: ${printed}`)
}

const account = { username: 'root', password: 'bench-password' }

/** Headers of the root user's session. */
export async function signIn(url: string): Promise<Record<string, string>> {
  const session: Record<string, string> = { 'content-type': 'application/json' }
  const { id } = await request(url, session, 'POST', '/api/user/login', account)
  session['tollgate-user'] = String(id)
  return session
}

async function request(url: string, session: Record<string, string>, method: string, path: string, body?: unknown) {
  const answer = await fetch(url + path, { method, headers: session, body: body ? JSON.stringify(body) : undefined })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (cookie) session.cookie = cookie
  const { success, message, data } = (await answer.json()) as { success: boolean; message: string; data: any }
  if (!success) throw new Error(`${method} ${path}: ${message}`)
  return data
}

/** The key of a site that was set up in an earlier run, whose channel moves to the upstream of this one. */
export async function rejoin(url: string, upstream: string): Promise<string> {
  const session = await signIn(url)
  const [channel] = (await request(url, session, 'GET', '/api/channel/search?keyword=mock')) as { id: number }[]
  await request(url, session, 'PUT', '/api/channel/', { id: channel!.id, key, base_url: upstream })
  return `sk-${(await request(url, session, 'GET', '/api/token/?p=0&size=10'))[0].key}`
}

/** From nothing to a key, as an operator would: account, channel, token. */
export async function setUp(url: string, upstream: string): Promise<string> {
  await request(url, { 'content-type': 'application/json' }, 'POST', '/api/setup', {
    ...account,
    confirmPassword: account.password,
  })
  const session = await signIn(url)
  const call = (method: string, path: string, body?: unknown) => request(url, session, method, path, body)
  await call('PUT', '/api/option/', {
    key: 'ModelRatio',
    value: JSON.stringify(Object.fromEntries([...MODELS, 'translated', ...BEDROCK_MODELS].map(model => [model, 0.01]))),
  })
  const channel = { key, base_url: upstream, group: 'default' }
  await call('POST', '/api/channel/', { ...channel, name: 'mock', type: 1, models: MODELS.join(',') })
  await call('POST', '/api/channel/', { ...channel, name: 'translated', type: 14, models: 'translated' })
  const models = BEDROCK_MODELS.join(',')
  await call('POST', '/api/channel/', { ...channel, name: 'bedrock', type: 33, key: bedrock_key, models })
  await call('POST', '/api/token/', { name: 'bench', unlimited_quota: true })
  return `sk-${(await call('GET', '/api/token/?p=0&size=10'))[0].key}`
}

/** A budget each for the user, the key and the channel of the site, which calls do not use up. */
export async function setBudgets(url: string) {
  const session = await signIn(url)
  const first = async (path: string): Promise<{ id: number }> => (await request(url, session, 'GET', path))[0]
  const owners = {
    user: { id: Number(session['tollgate-user']) },
    token: await first('/api/token/?p=0&size=10'),
    channel: await first('/api/channel/search?keyword=mock'),
  }
  const amount = Number.MAX_SAFE_INTEGER
  for (const [owner, { id: owner_id }] of Object.entries(owners))
    await request(url, session, 'POST', '/api/budget/', {
      ...{ owner, owner_id, name: owner, unit: 'quota', amount, window: 'month', zone: 'UTC' },
    })
}

/** Processor seconds that a process has used. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Context switches of all threads of a process. */
export function contextSwitches(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`).map(task => readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'))
  const counts = tasks.flatMap(status => status.match(/ctxt_switches:\s+\d+/g) ?? [])
  return counts.reduce((sum, line) => sum + Number(line.split(':')[1]), 0)
}
