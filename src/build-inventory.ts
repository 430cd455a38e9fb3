/** The packages that end up in the executable, as a CycloneDX document (https://cyclonedx.org/docs/1.6/json/, read 2026-11). */
import { join, resolve, sep } from 'node:path'

/** An npm package as its own package.json describes it. */
export interface BuiltPackage {
  name: string
  version: string
  license?: string
}

const home = join(import.meta.dir, '..')

/** The packages that have at least one byte in the output of a build. */
export async function packagesIn(
  { metafile }: Bun.BuildOutput,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<BuiltPackage[]> {
  const outputs = Object.values(metafile!.outputs).flatMap(({ inputs }) => Object.entries(inputs))
  const modules = outputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => resolve(path))
  return readPackages(modules.filter(path => !leftOut.has(path)))
}

/** htmx.org names its licence otherwise than SPDX does. https://spdx.org/licenses/ (read 2026-11) */
const spdx: Record<string, string> = { 'BSD-0-Clause': '0BSD' }

/** The packages of these modules. */
export function readPackages(modules: string[]): Promise<BuiltPackage[]> {
  const folders = new Set(modules.map(folderOf).filter(folder => folder !== undefined))
  return Promise.all(
    [...folders].map(async folder => {
      const { name, version, license } = await Bun.file(join(folder, 'package.json')).json()
      return { name, version, license: spdx[license] ?? license }
    }),
  )
}

/** The folder of the package that a module belongs to; undefined for a module of this project. */
function folderOf(path: string): string | undefined {
  const parts = path.split(sep)
  const at = parts.lastIndexOf('node_modules')
  if (at < 0) return
  return parts.slice(0, at + (parts[at + 1]!.startsWith('@') ? 3 : 2)).join(sep)
}

/**
 * Describes one executable: the same for the same bytes, so without a time and a serial number.
 * @throws Error for a package that is not in bun.lock
 */
export async function inventoryOf(executable: string, packages: BuiltPackage[]): Promise<object> {
  const { name, version, license } = await Bun.file(join(home, 'package.json')).json()
  const locked = await integrities()
  const byPurl = new Map(packages.map(item => [purlOf(item), item]))
  const components = [...byPurl].sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        ...{ type: 'application', 'bom-ref': name, name, version, licenses: [{ expression: license }] },
        hashes: [{ alg: 'SHA-256', content: await sha256Of(executable) }],
      },
    },
    components: [
      await runtime(),
      ...components.map(([purl, item]) => componentOf(purl, item, locked.get(`${item.name}@${item.version}`))),
    ],
  }
}

function componentOf(purl: string, { name, version, license }: BuiltPackage, integrity: string | undefined) {
  if (!integrity) throw new Error(`${name}@${version} is in the executable, but not in bun.lock`)
  const [group, base] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    ...{ type: 'library', 'bom-ref': purl, group, name: base, version, purl },
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: license ? [{ expression: license }] : undefined,
  }
}

/** Bun, of which the executable has a copy: by the program that builds, since the registry has one for each platform. */
async function runtime() {
  const purl = `pkg:npm/bun@${Bun.version}`
  return {
    ...{ type: 'platform', 'bom-ref': purl, name: 'bun', version: Bun.version, purl },
    hashes: [{ alg: 'SHA-256', content: await sha256Of(process.execPath) }],
    licenses: [{ expression: 'MIT' }],
    properties: [{ name: 'tollgate:platform', value: `${process.platform}-${process.arch}` }],
  }
}

const purlOf = ({ name, version }: BuiltPackage) => `pkg:npm/${name.replace('@', '%40')}@${version}`

export async function sha256Of(path: string): Promise<string> {
  return new Bun.CryptoHasher('sha256').update(await Bun.file(path).arrayBuffer()).digest('hex')
}

/** Integrity of each package of bun.lock, by `name@version`. */
async function integrities(): Promise<Map<string, string>> {
  const lock = Bun.JSONC.parse(await Bun.file(join(home, 'bun.lock')).text()) as { packages: Record<string, unknown[]> }
  return new Map(Object.values(lock.packages).map(row => [String(row[0]), String(row.at(-1))]))
}
