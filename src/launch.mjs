/**
 * Entry of `npm start` and `bun start`, in JavaScript for Node 20 and Bun: finds the Bun version of package.json or
 * fetches it from the npm registry, installs the packages of bun.lock, then starts Bun. What stands in `src` (the
 * server and its builds) needs a quarter of the packages; the others are for tests and checks.
 */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const version = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).engines.bun

const args = process.argv.slice(2)
const only = args[0]?.startsWith('src/') ? ['--production'] : []

const bun = installedBun() ?? fetchedBun()
must(bun, ['install', '--frozen-lockfile', '--silent', ...only], 'the packages of bun.lock could not be installed')
runBun(args)

function installedBun() {
  if (process.versions.bun) return process.versions.bun === version ? process.execPath : undefined
  return versionOf('bun') === version ? 'bun' : undefined
}

/**
 * Cached in .cache. The package manager compares each package with its hash in bun-lock.json. No script of a package
 * runs: Bun's own would fetch what is missing from a registry without comparing it.
 */
function fetchedBun() {
  const folder = join(home, '.cache', `bun-${version}`)
  const cached = programIn(folder)
  if (cached) return cached

  process.stderr.write(`tollgate: fetching Bun ${version} from the npm registry\n`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { bun: version } }))
  copyFileSync(join(home, 'src', 'bun-lock.json'), join(folder, 'package-lock.json'))
  const [manager, command] = process.versions.bun ? [process.execPath, 'install'] : ['npm', 'ci']
  must(
    manager,
    [command, '--ignore-scripts', '--silent'],
    'Bun could not be fetched, or is not the one of src/bun-lock.json',
    folder,
  )
  return programIn(folder) ?? stop(`Bun ${version} does not run on this machine (${process.platform} ${process.arch})`)
}

/** The program among the packages for this platform, of which there are two where the C library is not known. */
function programIn(folder) {
  const packages = join(folder, 'node_modules', '@oven')
  if (!existsSync(packages)) return
  const file = process.platform === 'win32' ? 'bun.exe' : 'bun'
  const programs = readdirSync(packages).map(name => join(packages, name, 'bin', file))
  return programs.find(program => versionOf(program) === version)
}

function versionOf(program) {
  if (program !== 'bun' && !existsSync(program)) return
  const run = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return run.status === 0 ? run.stdout.trim() : undefined
}

function must(program, args, failure, cwd = home) {
  const shell = process.platform === 'win32' && program === 'npm'
  const run = spawnSync(program, args, { cwd, shell, stdio: ['ignore', 'ignore', 'inherit'] })
  if (run.status !== 0) stop(failure)
}

function stop(message) {
  process.stderr.write(`tollgate: ${message}\n`)
  process.exit(1)
}

/** Runs Bun with this process's terminal and exit code; stays until Bun has ended, so that a supervisor waits for it. */
function runBun(args) {
  const child = spawn(bun, args, { cwd: home, stdio: 'inherit' })
  const before = processesAbove()
  const watch = setInterval(() => processesAbove() === before || stopOnce(), 500).unref()
  let stopped = false
  // One SIGTERM for whatever comes, however often: a group or a terminal signals Bun itself as well.
  const stopOnce = () => {
    if (stopped) return
    stopped = true
    clearInterval(watch)
    child.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopOnce)
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}

/**
 * Changes when the package manager ends without a signal to this process. A terminated npm ends its shell; a shell of
 * Linux outlives a killed npm and gets another parent.
 */
function processesAbove() {
  const shell = process.env.npm_lifecycle_event ? /^\d+ \(sh\) \S (\d+)/.exec(statusOf(process.ppid)) : null
  return `${process.ppid} ${shell?.[1]}`
}

/** The line `pid (name) state parent ...` of a process on Linux; empty elsewhere. */
function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return ''
  }
}
