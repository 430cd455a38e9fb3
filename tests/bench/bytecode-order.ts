/**
 * `npm run order`: records which functions a start uses, for the layout of the executable's bytecode
 * (`src/bytecode.order`). Functions that have changed since are laid out behind them, so a new record is needed only when
 * memory before the first request has grown.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, startExecutable, stopTargets } from './targets.ts'

const record = join(tmpdir(), `tollgate-${process.pid}.order`)

try {
  const { pid } = await startExecutable(await build(), undefined, { BUN_BYTECODE_ORDER_OUT: record })
  process.kill(pid, 'SIGTERM')
  while (existsSync(`/proc/${pid}`)) await Bun.sleep(100)
  // Texts and names of properties are nine tenths of a record, and change nothing.
  const lines = readFileSync(record, 'utf8').split('\n')
  writeFileSync('src/bytecode.order', lines.filter(line => !/^[KS]/.test(line)).join('\n'))
} finally {
  await stopTargets()
  rmSync(record, { force: true })
}
