// @engine sqlite
/** Packages that a registry has replaced or just received: none of them is run or installed. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Registry, startRegistry } from '../support/attacks/registry.ts'

const { version } = await Bun.file('src/bun-lock.json')
  .json()
  .then(lock => lock.packages['node_modules/bun'] as { version: string })

let home: string
let registry: Registry
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tollgate-'))
  registry = startRegistry()
  mkdirSync(join(home, 'src'))
  for (const file of ['src/launch.mjs', 'src/bun-lock.json', 'bunfig.toml']) copyFileSync(file, join(home, file))
})
afterEach(() => registry.stop())

/** Where the code of an attacker leaves its mark. */
const mark = () => join(home, 'mark')
const wasRun = () => existsSync(mark())

const project = (fields: object) =>
  Bun.write(join(home, 'package.json'), JSON.stringify({ name: 'project', version: '1.0.0', ...fields }))

/** Runs a command with these programs alone in its path, and the attacker's registry. */
async function run(programs: Record<string, string>, command: string[]) {
  const bin = mkdtempSync(join(tmpdir(), 'tollgate-'))
  for (const [name, path] of Object.entries(programs)) symlinkSync(path, join(bin, name))
  const child = Bun.spawn(command, {
    cwd: home,
    env: {
      ...{ PATH: bin, HOME: bin, TMPDIR: bin, BUN_INSTALL_CACHE_DIR: join(bin, 'cache') },
      ...{ npm_config_registry: registry.url, npm_config_cache: join(bin, 'npm-cache'), npm_config_fetch_retries: '0' },
      ...{ npm_config_audit: 'false', npm_config_update_notifier: 'false' },
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), child.exited])
  return { code, out, err }
}
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()

const bun = { bun: process.execPath }
const node = { node: Bun.which('node')!, npm: Bun.which('npm')!, sh: '/bin/sh' }
const launch = ['src/launch.mjs', 'server.js']

test('npm start fetches no Bun that the registry has replaced', async () => {
  const program = `#!/bin/sh\n: > ${mark()}\necho ${version}\n`
  await registry.publish('bun', { version, files: { 'install.js': `require('fs').writeFileSync('${mark()}', '')` } })
  for (const name of Object.keys((await Bun.file('src/bun-lock.json').json()).packages))
    if (name.includes('@oven/'))
      await registry.publish(name.replace('node_modules/', ''), { version, files: { 'bin/bun': program } })
  await project({ engines: { bun: version } })
  const { code, err } = await run(node, [node.node, ...launch])
  expect(registry.asked).toContain('bun')
  expect([code, wasRun()]).toEqual([1, false])
  expect(err).toContain('Bun could not be fetched, or is not the one of src/bun-lock.json')
})

test('npm start installs no package that the registry has replaced since bun.lock was written', async () => {
  await project({ dependencies: { 'left-over': '1.0.0' }, engines: { bun: version } })
  await Bun.write(join(home, 'server.js'), `require('left-over')`)
  await registry.publish('left-over', { version: '1.0.0', files: { 'index.js': '' } })
  expect(await run(bun, ['bun', 'install'])).toMatchObject({ code: 0 })
  await registry.publish('left-over', {
    version: '1.0.0',
    files: { 'index.js': `require('fs').writeFileSync('${mark()}', '')` },
  })
  await Bun.$`rm -r node_modules`.cwd(home).quiet()
  const { code, err } = await run({ ...node, ...bun }, [node.node, ...launch])
  expect([code, wasRun()]).toEqual([1, false])
  expect(err).toContain('the packages of bun.lock could not be installed')
})

test('scripts of packages do not run at their installation, even of trusted ones', async () => {
  await project({ dependencies: { esbuild: '1.0.0' }, trustedDependencies: ['esbuild'] })
  await registry.publish('esbuild', { version: '1.0.0', scripts: { postinstall: `: > ${mark()}` } })
  expect(await run({ ...bun, ...node }, ['bun', 'install'])).toMatchObject({ code: 0 })
  expect([existsSync(join(home, 'node_modules', 'esbuild')), wasRun()]).toEqual([true, false])
})

test('a release of the last three days is not taken up', async () => {
  await project({})
  await registry.publish('left-over', { version: '1.0.0', published: new Date() })
  const { code, err } = await run(bun, ['bun', 'add', 'left-over'])
  expect([code, existsSync(join(home, 'node_modules', 'left-over'))]).toEqual([1, false])
  expect(err).toContain('minimum-release-age')
})

test('bun.lock and bun-lock.json name each package with its version and hash', async () => {
  const { packages } = Bun.JSONC.parse(await Bun.file('bun.lock').text()) as { packages: Record<string, unknown[]> }
  const unpinned = Object.entries(packages).filter(
    ([, row]) => !/^@?[^@]+@\d+\.\d+\.\d+/.test(String(row[0])) || !/^sha512-.{86}==$/.test(String(row.at(-1))),
  )
  expect(unpinned).toEqual([])
  const { engines, dependencies, devDependencies } = await Bun.file('package.json').json()
  expect(
    Object.entries({ ...dependencies, ...devDependencies }).filter(([, range]) => !/^\d/.test(`${range}`)),
  ).toEqual([])

  const locked = Object.entries<any>((await Bun.file('src/bun-lock.json').json()).packages).filter(([path]) => path)
  expect(locked.map(([, { version }]) => version)).toEqual(locked.map(() => engines.bun))
  expect(locked.filter(([, { integrity }]) => !/^sha512-.{86}==$/.test(integrity))).toEqual([])
})
