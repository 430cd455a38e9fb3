/** `bun run build [FILE]`: one executable (dist/tollgate) with the browser bundle, the migrations and the locales. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import cl100k from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import { buildClient } from './build-client.ts'
import { packRanks } from './relay/counting/packed-ranks.ts'

const [outfile = 'dist/tollgate'] = process.argv.slice(2)
const cache = join(import.meta.dir, '..', '.cache')

const patterns = join(cache, 'libraries', 're2js.br')
const patternsModule = /[\\/]re2js[\\/]build[\\/]index\.cjs$/
const rareLibraries = new Map(
  await Promise.all(
    [
      ...['nodemailer', 'music-metadata', '@simplewebauthn/server', 'sanitize-html', 'marked'],
      ...['oauth4webapi', 'otpauth', 'socks', 'csv-stringify/sync', 'uqr'],
    ].map(bundle),
  ),
)
await packPatterns()
await buildClient()
await Bun.build({
  entrypoints: ['src/main.ts', 'src/relay/counting/worker.ts'],
  compile: { outfile },
  // Side by side: the server starts the worker as `./worker.ts`.
  naming: '[name].[ext]',
  minify: true,
  bytecode: true,
  // Dynamic imports stay apart, unread until they are needed: the console is most of the code.
  splitting: true,
  format: 'esm',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [
    { name: 'no-browser-libraries', setup: leaveOutBrowserLibraries },
    { name: 'no-streams', setup: leaveOutStreams },
    { name: 'token-tables', setup: packTokenTables },
    { name: 'rare-libraries', setup: keepAsText },
    { name: 'patterns', setup: keepPatternsAsText },
  ],
})

/**
 * Leaves out the parser of certificates that comes with passkeys: we ask for no attestation, so browsers send none, and
 * a response with one is refused. A bundle evaluates it before the polyfill that it needs.
 */
function leaveOutCertificates(build: Bun.PluginBuilder) {
  build.onLoad(
    {
      filter:
        /@simplewebauthn.*[\\/](validateCertificatePath|isCertRevoked|verifyAttestation\w+|convertX509PublicKeyToCOSE|getCertificateInfo|validateExtFIDOGenCEAAGUID)\.js$/,
    },
    ({ path }) => ({
      loader: 'js',
      contents: `export function ${basename(path, '.js')}() { throw new Error('certificates are not read') }`,
    }),
  )
  // Only its signatures are read, which need no algorithm of a certificate.
  build.onLoad({ filter: /[\\/]asn1-ecc[\\/].*[\\/]algorithms\.js$/ }, () => ({ loader: 'js', contents: '' }))
}

/** Leaves out the CSS parser of the sanitiser, which we never ask for: style attributes are dropped. */
function leaveOutStyles(build: Bun.PluginBuilder) {
  build.onLoad({ filter: /[\\/]postcss[\\/]lib[\\/]postcss\.js$/ }, () => ({
    loader: 'js',
    contents: `exports.parse = () => { throw new Error('styles are not parsed') }`,
  }))
}

/** Leaves out of the server what only browsers load: the colours of code, and formulas. The browser's bundle has them. */
function leaveOutBrowserLibraries(build: Bun.PluginBuilder) {
  build.onLoad({ filter: /[\\/]node_modules[\\/](highlight\.js|katex)[\\/].*\.m?js$/ }, () => ({
    loader: 'js',
    contents: 'export default undefined',
  }))
}

/** Leaves out what mails by SMTP with a password and without attachments do not need. */
function leaveOutTransports(build: Bun.PluginBuilder) {
  build.onLoad({ filter: /[\\/]nodemailer[\\/].*[\\/]mime-types\.js$/ }, () => ({
    loader: 'js',
    contents: `export const detectMimeType = () => 'application/octet-stream', detectExtension = () => 'bin'`,
  }))
  build.onLoad({ filter: /[\\/]nodemailer[\\/].*[\\/]services\.js$/ }, () => ({
    loader: 'js',
    contents: 'export const services = {}',
  }))
  const unused =
    /[\\/]nodemailer[\\/].*[\\/]((json|sendmail|ses|stream)-transport|smtp-pool|xoauth2|dkim|fetch)[\\/]index\.js$/
  build.onLoad({ filter: unused }, () => ({
    loader: 'js',
    contents: `export default class { constructor() { throw new Error('not in this executable') } }`,
  }))
}

/** Leaves out the parsers of audio files that no transcription accepts. */
function leaveOutRareAudio(build: Bun.PluginBuilder) {
  const parsers =
    /[\\/]music-metadata[\\/]lib[\\/]\w+[\\/](AsfParser|DsfParser|DsdiffParser|MusepackParser|WavPackParser|AiffParser)\.js$/
  build.onLoad({ filter: parsers }, ({ path }) => ({
    loader: 'js',
    contents: `export class ${basename(path, '.js').replace('Aiff', 'AIFF')} { constructor() { throw new Error('audio of this kind is not read') } }`,
  }))
}

/** Leaves out React's rendering into a stream: pages are drawn as one string. */
function leaveOutStreams(build: Bun.PluginBuilder) {
  build.onLoad({ filter: /[\\/]react-dom-server\.bun\.production\.js$/ }, () => ({ loader: 'js', contents: '' }))
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
  const { outputs } = await Bun.build({
    entrypoints: [path],
    target: 'bun',
    minify: true,
    plugins: [
      { name: 'no-certificates', setup: leaveOutCertificates },
      { name: 'only-smtp', setup: leaveOutTransports },
      { name: 'no-rare-audio', setup: leaveOutRareAudio },
      { name: 'no-style', setup: leaveOutStyles },
    ],
  })
  const file = join(cache, 'libraries', `${name.replaceAll('/', '-')}.br`)
  await Bun.write(file, brotliCompressSync(await outputs[0]!.text()))
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

process.stdout.write(`${outfile}: ${(statSync(outfile).size / 1_000_000).toFixed(1)} MB\n`)
