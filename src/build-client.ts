/** Builds the browser bundle into public/build: files with hashed names, a gzip of each, and an index module. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type BuiltPackage, packagesIn, readPackages } from './build-inventory.ts'

const home = join(import.meta.dir, '..')
const folder = join(home, 'public', 'build')

const stamp = join(folder, 'sources')
const contents = join(folder, 'packages.json')

/**
 * Builds nothing when no source has changed.
 * @returns the packages in the bundle
 * @throws Error when a source does not compile
 */
export async function buildClient(): Promise<BuiltPackage[]> {
  const digest = await digestOfSources()
  if (existsSync(stamp) && (await Bun.file(stamp).text()) === digest) return Bun.file(contents).json()
  mkdirSync(folder, { recursive: true })
  const [script, style] = await Promise.all([bundleScripts(), compileStyle()])
  const files = [...script.files, style]
  await Promise.all(files.map(gzip))
  await Bun.write(join(folder, 'index.js'), indexOf(files, script.entry, style))
  const packages = [...script.packages, ...(await packagesOfStyle())]
  await Bun.write(contents, JSON.stringify(packages))
  await Bun.write(stamp, digest)
  const own = ['index.js', basename(stamp), basename(contents)]
  const current = new Set([...own, ...files, ...files.map(name => `${name}.gz`)])
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name))
  return packages
}

/** Everything that the bundle depends on, with this file and the pinned packages. */
const sources = [
  'bun.lock',
  'src/build-{client,inventory}.ts',
  'client/**/*',
  'views/**/*',
  'src/{pure,contracts,locales,billing,models}/**/*',
]

async function digestOfSources(): Promise<string> {
  const names = await Promise.all(sources.map(pattern => Array.fromAsync(new Bun.Glob(pattern).scan(home))))
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version)
  for (const name of names.flat().sort()) hash.update(name).update(await Bun.file(join(home, name)).bytes())
  return hash.digest('hex')
}

/** One entry, and one chunk per island. */
async function bundleScripts(): Promise<{ entry: string; files: string[]; packages: BuiltPackage[] }> {
  const built = await Bun.build({
    entrypoints: [join(home, 'client', 'main.ts')],
    outdir: folder,
    splitting: true,
    minify: true,
    target: 'browser',
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: { runtime: 'automatic', development: false },
    metafile: true,
  })
  const entry = built.outputs.find(output => output.kind === 'entry-point')!
  const files = built.outputs.map(output => basename(output.path))
  return { entry: basename(entry.path), files, packages: await packagesIn(built) }
}

/** The packages that style sheets name: the bundle has rules of each. */
async function packagesOfStyle(): Promise<BuiltPackage[]> {
  const sheets = await Array.fromAsync(new Bun.Glob('client/styles/*.css').scan(home))
  const texts = await Promise.all(sheets.map(name => Bun.file(join(home, name)).text()))
  const names = texts.flatMap(text => [...text.matchAll(/^@(?:import|plugin) ["']([\w@][^"']*)["']/gm)])
  return readPackages(names.map(([, name]) => join(home, 'node_modules', name!)))
}

async function compileStyle(): Promise<string> {
  const tailwind = join(home, 'node_modules', '@tailwindcss', 'cli', 'dist', 'index.mjs')
  const run = Bun.spawn(
    [process.execPath, tailwind, '--input', join('client', 'styles', 'app.css'), '--output', '-', '--minify'],
    {
      cwd: home,
      stdin: 'ignore',
      stderr: 'pipe',
    },
  )
  const [css, errors] = await Promise.all([run.stdout, run.stderr].map(stream => new Response(stream).text()))
  if ((await run.exited) !== 0) throw new Error(errors)
  const name = `app-${Bun.hash(css!).toString(36)}.css`
  await Bun.write(join(folder, name), css!)
  return name
}

async function gzip(name: string): Promise<void> {
  const bytes = await Bun.file(join(folder, name)).bytes()
  await Bun.write(join(folder, `${name}.gz`), Bun.gzipSync(bytes, { level: 9 }))
}

/** A module that imports each gzip file, so that the executable contains them. */
function indexOf(files: string[], script: string, style: string): string {
  const imports = files.map((name, index) => `import file${index} from './${name}.gz' with { type: 'file' }`)
  const entries = files.map((name, index) => `  '${name}': file${index},`)
  return [
    ...imports,
    'export default {',
    ...entries,
    '}',
    `export const script = '${script}'`,
    `export const style = '${style}'`,
    '',
  ].join('\n')
}

if (import.meta.main) await buildClient()
