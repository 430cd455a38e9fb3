/** Builds what browsers load into public/build: hashed names, gzip beside each, and an index that says what there is. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

const home = join(import.meta.dir, '..')
const folder = join(home, 'public', 'build')

const stamp = join(folder, 'sources')

/** Does nothing when the sources are those of the last time. @throws when one does not compile. */
export async function buildClient(): Promise<void> {
  const digest = await digestOfSources()
  if (existsSync(stamp) && (await Bun.file(stamp).text()) === digest) return
  mkdirSync(folder, { recursive: true })
  const [script, style] = await Promise.all([bundleScripts(), compileStyle()])
  const files = [...script.files, style]
  await Promise.all(files.map(gzip))
  await Bun.write(join(folder, 'index.js'), indexOf(files, script.entry, style))
  await Bun.write(stamp, digest)
  const kept = new Set(['index.js', basename(stamp), ...files, ...files.map(name => `${name}.gz`)])
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name))
}

/** What the client is made of, this file and the pinned packages included. */
const sources = [
  'bun.lock',
  'src/build-client.ts',
  'client/**/*',
  'views/**/*',
  'src/{pure,contracts,locales,billing,models}/**/*',
]

async function digestOfSources(): Promise<string> {
  const names = await Promise.all(sources.map(some => Array.fromAsync(new Bun.Glob(some).scan(home))))
  const hash = new Bun.CryptoHasher('sha256')
  for (const name of names.flat().sort()) hash.update(name).update(await Bun.file(join(home, name)).bytes())
  return hash.digest('hex')
}

/** A small entry, and one chunk for each island. */
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
  const [css, complaint] = await Promise.all([run.stdout, run.stderr].map(stream => new Response(stream).text()))
  if ((await run.exited) !== 0) throw new Error(complaint)
  const name = `app-${Bun.hash(css!).toString(36)}.css`
  await Bun.write(join(folder, name), css!)
  return name
}

async function gzip(name: string): Promise<void> {
  const bytes = await Bun.file(join(folder, name)).bytes()
  await Bun.write(join(folder, `${name}.gz`), Bun.gzipSync(bytes, { level: 9 }))
}

/** A module that names each compressed file by import, so that the executable carries them. */
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
