/** Run twice by `bun run generate`, once with a postgres DATABASE_URL: one definition, two sets of migrations. */
import { defineConfig } from 'drizzle-kit'
import { dialect } from '../src/db/dialect.ts'

export default defineConfig({
  dialect: dialect === 'sqlite' ? 'sqlite' : 'postgresql',
  schema: './src/{domain,cluster}/**/table.ts',
  out: `./drizzle/${dialect}`,
})
