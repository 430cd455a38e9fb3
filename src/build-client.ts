/** Builds the browser bundle into public/build: files with hashed names, a gzip of each, and an index module. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

const home = join(import.meta.dir, '..')
const folder = join(home, 'public', 'build')

const stamp = join(folder, 'sources')

/** Does nothing when no source has changed. @throws Error when a source does not compile */
export async function buildClient(): Promise<void> {
  const digest = await digestOfSources()
  if (existsSync(stamp) && (await Bun.file(stamp).text()) === digest) return
  mkdirSync(folder, { recursive: true })
  const [script, style] = await Promise.all([bundleScripts(), compileStyle()])
  const files = [...script.files, style]
  await Promise.all(files.map(gzip))
  await Bun.write(join(folder, 'index.js'), indexOf(files, script.entry, style))
  await Bun.write(stamp, digest)
  const current = new Set(['index.js', basename(stamp), ...files, ...files.map(name => `${name}.gz`)])
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name))
}

/** Everything that the bundle depends on, with this file and the pinned packages. */
const sources = [
  'bun.lock',
  'src/build-client.ts',
  'client/**/*',
  'views/**/*',
  'src/{pure,contracts,locales,billing,models}/**/*',
]

async function digestOfSources(): Promise<string> {
  const names = await Promise.all(sources.map(pattern => Array.fromAsync(new Bun.Glob(pattern).scan(home))))
  const hash = new Bun.CryptoHasher('sha256')
  for (const name of names.flat().sort()) hash.update(name).update(await Bun.file(join(home, name)).bytes())
  return hash.digest('hex')
}

/** One entry, and one chunk per island. */
async function bundleScripts(): Promise<{ entry: string; files: string[] }> {
  const { outputs } = await Bun.build({
    entrypoints: [join(home, 'client', 'main.ts')],
    outdir: folder,
    splitting: true,
    minify: true,
    target: 'browser',
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: { runtime: 'automatic', development: false },
  })
  const entry = outputs.find(output => output.kind === 'entry-point')!
  return { entry: basename(entry.path), files: outputs.map(output => basename(output.path)) }
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
