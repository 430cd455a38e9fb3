/** `bun run build [FILE]`: one executable (dist/tollgate) with the browser bundle, the migrations and the locales. */
import { statSync } from 'node:fs'
import { buildClient } from './build-client.ts'

const [outfile = 'dist/tollgate'] = process.argv.slice(2)

await buildClient()
await Bun.build({
  entrypoints: ['src/main.ts'],
  compile: { outfile },
  minify: { whitespace: true, syntax: true },
  bytecode: true,
  format: 'esm',
  define: { 'process.env.NODE_ENV': '"production"' },
})
process.stdout.write(`${outfile}: ${(statSync(outfile).size / 1_000_000).toFixed(1)} MB\n`)
