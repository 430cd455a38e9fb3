/** `bun run generate [name]`: the migrations of both engines, from the one definition of the tables. */
const [name = 'change'] = process.argv.slice(2)

for (const url of ['file::memory:', 'postgres://nobody@localhost/nothing']) {
  const run = Bun.spawn(
    [process.execPath, 'x', '--bun', 'drizzle-kit', 'generate', '--config', 'drizzle/config.ts', '--name', name],
    { env: { ...process.env, DATABASE_URL: url }, stdio: ['inherit', 'inherit', 'inherit'] },
  )
  if ((await run.exited) !== 0) process.exit(1)
}
