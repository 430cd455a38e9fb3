/** Real clients at the versions of tests/clients/versions.json, fetched once from the npm registry into the tests' cache. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import versions from '../../clients/versions.json'

export type ClientPackage = keyof typeof versions

const cache = resolve(import.meta.dir, '..', '..', '..', '.cache', 'clients')

export const versionOf = (name: ClientPackage) => versions[name]

/** Folder with these packages in its node_modules. @throws Error with one line when the registry does not give them */
export async function packageFolder(...names: [ClientPackage, ...ClientPackage[]]): Promise<string> {
  const wanted = names.map(name => `${name}@${versionOf(name)}`)
  const folder = join(cache, wanted.join('+').replaceAll('/', '-'))
  if (existsSync(folder)) return folder
  const part = `${folder}.${process.pid}.part`
  mkdirSync(part, { recursive: true })
  try {
    await Bun.write(join(part, 'package.json'), '{}')
    const fetching = Bun.spawn([process.execPath, 'add', '--exact', '--silent', ...wanted], {
      cwd: part,
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const [failure, code] = await Promise.all([new Response(fetching.stderr).text(), fetching.exited])
    if (code !== 0)
      throw new Error(`npm's registry does not give ${wanted.join(', ')}: ${failure.trim().split('\n')[0]}`)
    keep(part, folder)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  return folder
}

/** Another test file may have fetched the same in between. */
function keep(part: string, folder: string) {
  try {
    renameSync(part, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** A program of a package. */
export const programOf = async (name: ClientPackage, program: string): Promise<string> =>
  join(await packageFolder(name), 'node_modules', '.bin', program)
