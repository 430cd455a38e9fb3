/**
 * `npm start` and `bun start` begin here, in the JavaScript that Node 20 and Bun both run: find the Bun that
 * package.json names, or bring it from the npm registry; install what bun.lock pins; hand over to Bun.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).engines.bun

const bun = installedBun() ?? fetchedBun()
must(bun, ['install', '--frozen-lockfile', '--silent'], 'the packages of bun.lock could not be installed')
handOver(process.argv.slice(2))

function installedBun() {
  if (process.versions.bun) return process.versions.bun === wanted ? process.execPath : undefined
  return versionOf('bun') === wanted ? 'bun' : undefined
}

/** Kept in .cache, so that it is fetched once. Its install script is called by name: package managers may not run it. */
function fetchedBun() {
  const folder = join(home, '.cache', `bun-${wanted}`)
  const modules = join(folder, 'node_modules', 'bun')
  const program = join(modules, 'bin', 'bun.exe')
  if (versionOf(program) === wanted) return program

  process.stderr.write(`tollgate: fetching Bun ${wanted} from the npm registry\n`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { bun: wanted } }))
  const manager = process.versions.bun ? process.execPath : 'npm'
  must(manager, ['install', '--ignore-scripts', '--silent'], 'Bun could not be fetched', folder)
  must(process.execPath, [join(modules, 'install.js')], 'Bun could not be installed')
  if (versionOf(program) === wanted) return program
  return stop(`Bun ${wanted} does not run on this machine (${process.platform} ${process.arch})`)
}

function versionOf(program) {
  if (program !== 'bun' && !existsSync(program)) return
  const run = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return run.status === 0 ? run.stdout.trim() : undefined
}

function must(program, args, complaint, cwd = home) {
  const shell = process.platform === 'win32' && program === 'npm'
  const run = spawnSync(program, args, { cwd, shell, stdio: ['ignore', 'ignore', 'inherit'] })
  if (run.status !== 0) stop(complaint)
}

function stop(complaint) {
  process.stderr.write(`tollgate: ${complaint}\n`)
  process.exit(1)
}

/** Bun takes this process's place: its terminal, its signals, its exit code. */
function handOver(args) {
  const child = spawn(bun, args, { cwd: home, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminated npm takes its shell along and leaves us orphaned without a word.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref()
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}
