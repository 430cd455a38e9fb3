/** What the executable leaves out of its libraries. */
import { basename } from 'node:path'

/** Modules of which nothing is in the executable. */
export const leftOut = new Set<string>()

/**
 * Leaves out the parser of certificates that comes with passkeys: we ask for no attestation, so browsers send none, and
 * a response with one is refused. A bundle evaluates it before the polyfill that it needs.
 */
export function leaveOutCertificates(build: Bun.PluginBuilder) {
  leaveOut(
    build,
    /@simplewebauthn.*[\\/](validateCertificatePath|isCertRevoked|verifyAttestation\w+|convertX509PublicKeyToCOSE|getCertificateInfo|validateExtFIDOGenCEAAGUID)\.js$/,
    path => `export function ${basename(path, '.js')}() { throw new Error('certificates are not read') }`,
  )
  // Only its signatures are read, which need no algorithm of a certificate.
  leaveOut(build, /[\\/]asn1-ecc[\\/].*[\\/]algorithms\.js$/)
}

/** Leaves out the CSS parser of the sanitiser, which we never ask for: style attributes are dropped. */
export function leaveOutStyles(build: Bun.PluginBuilder) {
  leaveOut(
    build,
    /[\\/]postcss[\\/]lib[\\/]postcss\.js$/,
    () => `exports.parse = () => { throw new Error('styles are not parsed') }`,
  )
}

/** Leaves out of the server what only browsers load: the colours of code, and formulas. The browser's bundle has them. */
export function leaveOutBrowserLibraries(build: Bun.PluginBuilder) {
  leaveOut(build, /[\\/]node_modules[\\/](highlight\.js|katex)[\\/].*\.m?js$/, () => 'export default undefined')
}

/** Leaves out what mails by SMTP with a password and without attachments do not need. */
export function leaveOutTransports(build: Bun.PluginBuilder) {
  leaveOut(
    build,
    /[\\/]nodemailer[\\/].*[\\/]mime-types\.js$/,
    () => `export const detectMimeType = () => 'application/octet-stream', detectExtension = () => 'bin'`,
  )
  leaveOut(build, /[\\/]nodemailer[\\/].*[\\/]services\.js$/, () => 'export const services = {}')
  leaveOut(
    build,
    /[\\/]nodemailer[\\/].*[\\/]((json|sendmail|ses|stream)-transport|smtp-pool|xoauth2|dkim|fetch)[\\/]index\.js$/,
    () => `export default class { constructor() { throw new Error('not in this executable') } }`,
  )
}

/** Leaves out the parsers of audio files that no transcription accepts. */
export function leaveOutRareAudio(build: Bun.PluginBuilder) {
  leaveOut(
    build,
    /[\\/]music-metadata[\\/]lib[\\/]\w+[\\/](AsfParser|DsfParser|DsdiffParser|MusepackParser|WavPackParser|AiffParser)\.js$/,
    path =>
      `export class ${basename(path, '.js').replace('Aiff', 'AIFF')} { constructor() { throw new Error('audio of this kind is not read') } }`,
  )
}

/** Leaves out React's rendering into a stream: pages are drawn as one string. */
export function leaveOutStreams(build: Bun.PluginBuilder) {
  leaveOut(build, /[\\/]react-dom-server\.bun\.production\.js$/)
}

/**
 * Leaves out what Elysia needs for schemas of TypeBox at its routes and for files in them: bodies are checked by contracts.
 * What it loads without a schema stays.
 */
export function leaveOutRouteSchemas(build: Bun.PluginBuilder) {
  const refusal = `() => { throw new Error('routes have no schemas') }`
  leaveOut(
    build,
    /[\\/]typebox[\\/].*[\\/]value[\\/]index\.mjs$/,
    () => `export const Value = new Proxy({}, { get: ${refusal} }); export class TransformDecodeError extends Error {}`,
  )
  leaveOut(
    build,
    /[\\/]typebox[\\/].*[\\/]compiler[\\/]index\.mjs$/,
    () => `export const TypeCompiler = { Compile: ${refusal} }; export class TypeCheck {}`,
  )
  leaveOut(build, /[\\/]file-type[\\/]source[\\/]index\.js$/, () => `export const fileTypeFromBlob = ${refusal}`)
}

function leaveOut(build: Bun.PluginBuilder, filter: RegExp, contents: (path: string) => string = () => '') {
  build.onLoad({ filter }, ({ path }) => {
    leftOut.add(path)
    return { loader: 'js', contents: contents(path) }
  })
}
