/**
 * Before any test file: settings of a private installation, so that nothing of the machine's own is read.
 * It runs anew for each of several files in one process. FILE_SETTINGS holds the settings of each, by absolute path.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import './quick-passwords.ts'

const ofFiles = JSON.parse(process.env.FILE_SETTINGS ?? '{}') as Record<string, Record<string, string>>
Object.assign(process.env, ofFiles[Bun.main])

const settings = {
  LOG_LEVEL: 'silent',
  DATABASE_URL: 'file::memory:',
  DATA_DIR: mkdtempSync(join(tmpdir(), 'tollgate-')),
  // There is no socket under `app.handle`: a test says who calls with X-Forwarded-For.
  TRUSTED_PROXIES: '127.0.0.1/32',
  GLOBAL_API_RATE_LIMIT: '0',
  GLOBAL_WEB_RATE_LIMIT: '0',
  CRITICAL_RATE_LIMIT: '0',
}

for (const [name, value] of Object.entries(settings)) process.env[name] ??= value
