// @engine sqlite
/** What the tools find: style, types, and migrations that are behind the tables. */
import { describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** On a busy machine. */
const slow_ms = 900_000

describe('tools', () => {
  test(
    'Biome finds nothing',
    () => expect(outputOf(['x', '--bun', 'biome', 'check', '--error-on-warnings', '--colors=off'])).resolves.toBe(''),
    slow_ms,
  )

  test(
    'tsc finds nothing',
    // Several threads look at much of it several times, while other tests wait for a core.
    () => expect(outputOf(['x', '--bun', 'tsc', '--noEmit', '--singleThreaded'])).resolves.toBe(''),
    slow_ms,
  )

  test.each([
    ['sqlite', 'sqlite', 'file::memory:'],
    ['postgres', 'postgresql', 'postgres://nobody@localhost/nothing'],
  ])(
    'the migrations for %s are not behind the tables',
    async (engine, dialect, DATABASE_URL) => {
      const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
      cpSync(`drizzle/${engine}`, folder, { recursive: true })
      const tables = ['--schema', './src/{domain,cluster}/**/table.ts', '--out', relative('.', folder)]
      const output = await outputOf(
        ['x', '--bun', 'drizzle-kit', 'generate', '--dialect', dialect, ...tables],
        { DATABASE_URL },
        true,
      )
      rmSync(folder, { recursive: true })
      expect(output).toContain('No schema changes')
    },
    slow_ms,
  )
})

/** What a tool prints; by default only when it fails. */
async function outputOf(command: string[], settings: Record<string, string> = {}, always = false): Promise<string> {
  const run = Bun.spawn([process.execPath, ...command], {
    env: { ...process.env, ...settings },
    stdin: 'ignore',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([run.stdout, run.stderr].map(stream => new Response(stream).text()))
  return (await run.exited) === 0 && !always ? '' : `${out}${err}`
}
