// @engine sqlite
/** The executable built again: in another folder and under another name, with packages installed anew, another user's settings, and one core. */
import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Of } from '../../src/build-inventory.ts'
import { program, run } from '../support/app/server.ts'

const BUILD_MS = 600_000
const OTHER_NAME = 'dist/other-name'
const sources = [
  'package.json',
  'bun.lock',
  'bunfig.toml',
  'tsconfig.json',
  'src',
  'views',
  'client',
  'public',
  'drizzle',
]

test(
  'one commit gives one executable, in any folder, under any name and for any user',
  async () => {
    const home = join(mkdtempSync(join(tmpdir(), 'tollgate-')), 'a', 'longer way', 'home')
    for (const name of sources) cpSync(name, join(home, name), { recursive: true, filter: isSource })
    const others = { TZ: 'Asia/Shanghai', LANG: 'zh_CN.UTF-8', TMPDIR: mkdtempSync(join(tmpdir(), 'tollgate-')) }
    const bun = (...args: string[]) =>
      run(args, { command: ['taskset', '-c', '0', process.execPath], env: others, cwd: home })
    expect(await bun('install', '--frozen-lockfile', '--silent')).toMatchObject({ code: 0 })
    expect(await bun('src/build.ts', OTHER_NAME)).toMatchObject({ code: 0 })
    expect(await sha256Of(join(home, OTHER_NAME))).toBe(await sha256Of(program[0]!))
  },
  BUILD_MS,
)

const isSource = (path: string) => !path.includes('public/build')
