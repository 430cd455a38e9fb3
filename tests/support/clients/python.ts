/** Python's clients at the versions of tests/clients/python-versions.json, installed once by pip into the tests' cache. */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import versions from '../../clients/python-versions.json'

type PythonPackage = keyof typeof versions

const cache = resolve(import.meta.dir, '..', '..', '..', '.cache', 'clients')

/** Why this machine runs no Python client; empty where it does. */
export function pythonMissing(): string {
  if (!Bun.which('python3')) return 'python3 is not installed'
  const found = Bun.spawnSync(['python3', '-c', 'import ensurepip, venv']).exitCode === 0
  return found ? '' : 'python3 has no venv with pip'
}

/** Folder of programs of an environment with these packages. @throws Error with one line when pip cannot install them */
export async function pythonPrograms(...names: [PythonPackage, ...PythonPackage[]]): Promise<string> {
  const wanted = names.map(name => `${name}==${versions[name]}`)
  // An environment names its own folder in its programs, so it is made where it stays and marked when it is whole.
  const folder = join(cache, `python-${wanted.join('+')}`)
  const isWhole = join(folder, 'whole')
  if (existsSync(isWhole)) return join(folder, 'bin')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  await succeed(['python3', '-m', 'venv', folder], wanted)
  await succeed([join(folder, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', ...wanted], wanted)
  await Bun.write(isWhole, '')
  return join(folder, 'bin')
}

async function succeed(command: string[], wanted: string[]) {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' })
  const [failure, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (code !== 0) throw new Error(`pip does not give ${wanted.join(', ')}: ${failure.trim().split('\n').at(-1)}`)
}

export const pythonScript = (name: string) => join(import.meta.dir, 'python', `${name}.py`)
