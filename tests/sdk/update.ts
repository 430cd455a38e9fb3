/** `bun run clients:update`: raises the SDKs and the pinned clients of the tests to the newest, and prints what is new. */
import { unlisted } from './outcomes.ts'
import { readTypes } from './read-types.ts'

const SDKS = ['openai', '@anthropic-ai/sdk', '@google/genai']
const PACKAGE = 'package.json'
const CLIENTS = 'tests/clients/versions.json'
const PYTHON_CLIENTS = 'tests/clients/python-versions.json'

type Versions = Record<string, string>

/** @returns what was raised, one text for each package; `versions` holds the newest afterwards */
export async function raise(
  versions: Versions,
  names: readonly string[],
  newestOf: (name: string) => Promise<string>,
): Promise<string[]> {
  const raised: string[] = []
  for (const name of names) {
    const [pinned, newest] = [versions[name]!, await newestOf(name)]
    if (Bun.semver.order(newest, pinned) <= 0) continue
    versions[name] = newest
    raised.push(`${name} ${pinned} → ${newest}`)
  }
  return raised
}

/** Of names that no surface lists, the text that is printed. */
export const newsOf = (names: readonly string[]): string =>
  names.length
    ? `New in the SDKs, to be listed in tests/sdk/surfaces:\n${names.map(name => `  ${name}\n`).join('')}`
    : 'The SDKs have nothing that tests/sdk/surfaces does not list.\n'

/** https://docs.npmjs.com/cli/commands/npm-view (read 2026-11) */
const newestInRegistry = async (name: string) => versionIn(['npm', 'view', name, 'version', '--silent'], /^(\S+)/)

/** https://pip.pypa.io/en/stable/cli/pip_index (read 2026-11) */
const newestInIndex = async (name: string) =>
  versionIn(['python3', '-m', 'pip', 'index', 'versions', name], /^\S+ \((\S+)\)/)

function versionIn(command: string[], pattern: RegExp): string {
  const { stdout, exitCode } = Bun.spawnSync(command)
  const [, version] = pattern.exec(stdout.toString()) ?? []
  if (exitCode !== 0 || !version) throw new Error(`\`${command.join(' ')}\` names no version`)
  return version
}

async function writeJson(path: string, value: object) {
  await Bun.write(path, `${JSON.stringify(value, undefined, 2)}\n`)
}

/** @param path of a file of pinned versions */
async function raiseAll(path: string, newestOf: (name: string) => Promise<string>): Promise<string[]> {
  const versions: Versions = await Bun.file(path).json()
  const raised = await raise(versions, Object.keys(versions), newestOf)
  if (raised.length) await writeJson(path, versions)
  return raised
}

async function update() {
  const manifest = await Bun.file(PACKAGE).json()
  const raised = await raise(manifest.devDependencies, SDKS, newestInRegistry)
  if (raised.length) {
    await writeJson(PACKAGE, manifest)
    const { exitCode } = Bun.spawnSync([process.execPath, 'install'], { stdio: ['ignore', 'inherit', 'inherit'] })
    if (exitCode !== 0) throw new Error('the SDKs could not be installed')
  }
  raised.push(...(await raiseAll(CLIENTS, newestInRegistry)), ...(await raiseAll(PYTHON_CLIENTS, newestInIndex)))
  process.stdout.write(`${raised.join('\n') || 'Every SDK and client is the newest.'}\n`)
  process.stdout.write(newsOf(unlisted(await readTypes('sdk-types.ts'))))
}

if (import.meta.main) await update()
