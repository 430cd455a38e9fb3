/** Before any test file: settings of a private installation, so that nothing of the machine's own is read. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import './quick-passwords.ts'

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
