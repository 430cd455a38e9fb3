// @engine both
// @waits
/** The weekly test of a backup, in real processes: its light, and what administrators read. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dialect } from '../../src/db/dialect.ts'
import { newInstallation, setUpAt, startAt } from '../support/app/installation.ts'
import { newFolder } from '../support/app/server.ts'
import { until } from '../support/until.ts'

test('the backup is restored and audited as a test, and administrators read of a green light, then of a red one', async () => {
  const place = await newInstallation()
  const backup = newFolder()
  const env = { ...place.env, BACKUP_URL: backup, BACKUP_PASSPHRASE: 'correct horse battery' }
  const server = await startAt(place, { env })
  await setUpAt(server)
  const light = join(backup, 'test.json')
  await until(() => existsSync(light))
  expect(JSON.parse(readFileSync(light, 'utf8'))).toMatchObject({ ok: true, error: '' })
  await server.stop()

  writeFileSync(light, JSON.stringify({ at_ms: Date.now() - 8 * 86_400_000, ok: true, error: '' }))
  // On PostgreSQL the dump of before would do for the rest of its day.
  if (dialect === 'postgres')
    for (const name of readdirSync(backup).filter(name => /^\d/.test(name)))
      rmSync(join(backup, name), { recursive: true })
  await place.change('update users set quota = quota + 1')
  const again = await startAt(place, { env })
  await until(() => JSON.parse(readFileSync(light, 'utf8')).ok === false)
  await again.stop()
  expect(JSON.parse(readFileSync(light, 'utf8')).error).toContain('audit: ')
  const titles = (await place.read('select title from messages order by id')) as { title: string }[]
  expect(titles.map(({ title }) => title)).toEqual(['备份已恢复，完整无误', '备份无法恢复'])
})
