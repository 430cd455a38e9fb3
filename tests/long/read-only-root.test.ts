// @engine both
/** The program as the image and the manifests run it: user 10001 without rights, on a root that cannot be written. */
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { dialect } from '../../src/db/dialect.ts'
import { newInstallation, startAt } from '../support/app/installation.ts'
import { program } from '../support/app/server.ts'
import { ask, makeSite } from '../support/app/site.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const USER = 10001

const upstream = await fakeUpstream()
upstream.scripts(MODEL, chat())
afterAll(() => upstream.stop())

/** The executable at /mnt, /tmp and, for SQLite, /srv to write to; all else as it is, but read-only. */
const confined = [
  ...['unshare', '--mount', 'sh', '-ec'],
  `mount --make-rprivate /
   mount --bind ${dirname(program[0]!)} /mnt
   mount -t tmpfs -o mode=1777 tmpfs /tmp
   mount -t tmpfs -o mode=0700,uid=${USER} tmpfs /srv
   mount -o remount,bind,ro /
   cd /
   exec setpriv --reuid=${USER} --regid=${USER} --clear-groups --no-new-privs --bounding-set=-all /mnt/tollgate "$@"`,
  'sh',
]

test('a node without root serves the console and calls on a root that cannot be written', async () => {
  if (process.getuid?.() !== 0) throw new Error('this test makes mounts: run it as root')
  const place = await newInstallation()
  // PostgreSQL needs no folder: there is none at this path, and none can be made.
  const DATA_DIR = dialect === 'sqlite' ? '/srv' : '/not-there'
  const env = { ...place.env, DATA_DIR, SECRET_KEY: 'the key of one installation' }
  const server = await startAt({ ...place, env }, { command: confined })

  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).toBe(String(USER))
  expect(/^CapEff:\s+(\w+)/m.exec(status)?.[1]).toMatch(/^0+$/)
  expect(/^NoNewPrivs:\s+(\d)/m.exec(status)?.[1]).toBe('1')
  const mounts = readFileSync(`/proc/${server.process.pid}/mounts`, 'utf8').split('\n')
  expect(mounts.find(line => line.split(' ')[1] === '/' && line.split(' ')[2] !== 'rootfs')).toMatch(/ ro[, ]/)

  const key = await makeSite(server.url, upstream, MODEL)
  for (const stream of [false, true])
    expect(await ask(server.url, key, { model: MODEL, content: 'Hi', stream })).toMatchObject({
      status: 200,
      whole: true,
    })
  // More than is held in memory at first.
  expect((await ask(server.url, key, { model: MODEL, content: 'word '.repeat(500_000) })).status).not.toBe(500)
  expect((await fetch(`${server.url}/login`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  const warnings = server.output().match(/ warn .*/g) ?? []
  // The log names the missing file once; nothing depends on it, since the database knows of the set-up.
  expect(warnings.filter(line => !line.includes('mark of the set-up not written'))).toEqual([])
})
