/**
 * `bun run build [FILE]`: one executable (dist/tollgate) with the browser bundle, the migrations and the locales, and
 * FILE.cdx.json, which lists the packages in it. One commit gives one executable, in any folder and under any name.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import cl100k from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import { buildClient } from './build-client.ts'
import { type BuiltPackage, inventoryOf, packagesIn, sha256Of } from './build-inventory.ts'
import {
  leaveOutBrowserLibraries,
  leaveOutCertificates,
  leaveOutRareAudio,
  leaveOutRouteSchemas,
  leaveOutStreams,
  leaveOutStyles,
  leaveOutTransports,
  leftOut,
} from './build-left-out.ts'
import { packRanks } from './relay/counting/packed-ranks.ts'

const [outfile = 'dist/tollgate'] = process.argv.slice(2)
const cache = join(import.meta.dir, '..', '.cache')

const patterns = join(cache, 'libraries', 're2js.br')
const patternsModule = /[\\/]re2js[\\/]build[\\/]index\.cjs$/
const packages: BuiltPackage[] = []
const rareLibraries = new Map(
  await Promise.all(
    [
      ...['nodemailer', 'music-metadata', '@simplewebauthn/server', 'sanitize-html', 'marked'],
      ...['oauth4webapi', 'otpauth', 'socks', 'csv-stringify/sync', 'uqr', 'ioredis'],
    ].map(bundle),
  ),
)
await packPatterns()
packages.push(...(await buildClient()))
await compile()
await Bun.write(`${outfile}.cdx.json`, `${JSON.stringify(await inventoryOf(outfile, packages), undefined, 2)}\n`)
const megabytes = (statSync(outfile).size / 1_000_000).toFixed(1)
process.stdout.write(`${outfile}: ${megabytes} MB, SHA-256 ${await sha256Of(outfile)}\n`)

/** Under one name, whatever FILE is: the executable contains its own name. */
async function compile() {
  mkdirSync(dirname(outfile), { recursive: true })
  const folder = mkdtempSync(join(dirname(outfile), '.build-'))
  const program = join(folder, 'tollgate')
  const built = await Bun.build({
    entrypoints: ['src/main.ts', 'src/relay/counting/worker.ts'],
    // Code in a bunfig.toml of the folder where the executable is started is not run.
    // What a start uses lies side by side: less of the file is read, and stays in memory.
    compile: { outfile: program, autoloadBunfig: false, bytecodeOrder: join(import.meta.dir, 'bytecode.order') },
    // Side by side: the server starts the worker as `./worker.ts`.
    naming: '[name].[ext]',
    minify: true,
    bytecode: true,
    // A function within a function is compiled at its first call: compiled here, those would take 4.5 MB.
    bytecodeDepth: 1,
    // Dynamic imports stay apart, unread until they are needed: the console is most of the code.
    splitting: true,
    format: 'esm',
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      { name: 'no-browser-libraries', setup: leaveOutBrowserLibraries },
      { name: 'no-streams', setup: leaveOutStreams },
      { name: 'no-route-schemas', setup: leaveOutRouteSchemas },
      { name: 'token-tables', setup: packTokenTables },
      { name: 'rare-libraries', setup: keepAsText },
      { name: 'patterns', setup: keepPatternsAsText },
    ],
  })
  packages.push(...(await packagesIn(built, leftOut)))
  renameSync(program, outfile)
  rmSync(folder, { recursive: true })
}

/**
 * Keeps libraries that are loaded at their first use as compressed text, parsed then: bytecode takes four times their size. Each is
 * loaded in one place only, so nothing of it is there twice.
 */
function keepAsText(build: Bun.PluginBuilder) {
  build.onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path }) => {
    const library = rareLibraries.get(path)
    if (!library) return
    return {
      loader: 'js',
      contents: `
        import { brotliDecompressSync } from 'node:zlib'
        import file from ${JSON.stringify(library.file)} with { type: 'file' }
        const text = new Blob([brotliDecompressSync(await Bun.file(file).bytes())], { type: 'text/javascript' })
        const library = await import(URL.createObjectURL(text))
        export const { ${library.names.join()} } = library
        export default library.default`,
    }
  })
}

/** Keeps the engine of regular expressions as text too. It is required, not imported: options are checked in one go. */
function keepPatternsAsText(build: Bun.PluginBuilder) {
  build.onLoad({ filter: patternsModule }, () => ({
    loader: 'js',
    contents: `
      import { readFileSync } from 'node:fs'
      import { brotliDecompressSync } from 'node:zlib'
      import file from ${JSON.stringify(patterns)} with { type: 'file' }
      const module = { exports: {} }
      new Function('module', 'exports', brotliDecompressSync(readFileSync(file)).toString())(module, module.exports)
      export const { RE2JS, RE2Set } = module.exports`,
  }))
}

async function packPatterns() {
  const text = await Bun.file(Bun.resolveSync('re2js', import.meta.dir).replace('index.js', 'index.umd.js')).text()
  await Bun.write(patterns, brotliCompressSync(new Bun.Transpiler({ minifyWhitespace: true }).transformSync(text)))
}

/** @returns the bundle of a library, by the path of its module */
async function bundle(name: string) {
  const path = Bun.resolveSync(name, import.meta.dir)
  const built = await Bun.build({
    entrypoints: [path],
    target: 'bun',
    minify: true,
    metafile: true,
    plugins: [
      { name: 'no-certificates', setup: leaveOutCertificates },
      { name: 'only-smtp', setup: leaveOutTransports },
      { name: 'no-rare-audio', setup: leaveOutRareAudio },
      { name: 'no-style', setup: leaveOutStyles },
    ],
  })
  const file = join(cache, 'libraries', `${name.replaceAll('/', '-')}.br`)
  await Bun.write(file, brotliCompressSync(await built.outputs[0]!.text()))
  packages.push(...(await packagesIn(built, leftOut)))
  const names = Object.keys(await import(path)).filter(exported => exported !== 'default')
  return [path, { file, names }] as const
}

/** Puts the tables of the tokenizer into compressed files: as code they would have 15 MB. */
function packTokenTables(build: Bun.PluginBuilder) {
  const folder = join(cache, 'token-tables')
  const unpacker = join(import.meta.dir, 'relay', 'counting', 'packed-ranks.ts')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'o200k_base.br'), packRanks(o200k))
  writeFileSync(join(folder, 'cl100k_base.br'), packRanks(cl100k, o200k))
  build.onLoad({ filter: /[\\/]bpeRanks[\\/](o200k|cl100k)_base\.js$/ }, ({ path }) => {
    const name = basename(path, '.js')
    const file = JSON.stringify(join(folder, `${name}.br`))
    const shared = name === 'o200k_base' ? '' : `, (await import('gpt-tokenizer/bpeRanks/o200k_base')).default`
    return {
      loader: 'js',
      contents: `
        import file from ${file} with { type: 'file' }
        import { unpackRanks } from ${JSON.stringify(unpacker)}
        export default unpackRanks(await Bun.file(file).bytes()${shared})`,
    }
  })
}
