// @engine sqlite
/** The browser bundle is rebuilt exactly when a source changes. */
import { expect, test } from 'bun:test'
import { appendFileSync, cpSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder, run } from '../support/app/server.ts'

const home = join(import.meta.dir, '..', '..')

/** The product's sources in a folder of their own, never built. */
function checkout(): string {
  const folder = newFolder()
  for (const name of ['client', 'views', 'src', 'bun.lock', 'tsconfig.json'])
    cpSync(join(home, name), join(folder, name), { recursive: true })
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function build(folder: string) {
  expect(await run([], { command: [process.execPath, join(folder, 'src/build-client.ts')] })).toMatchObject({ code: 0 })
  const index = await Bun.file(join(folder, 'public/build/index.js')).text()
  return { script: /script = '(.+)'/.exec(index)![1], style: /style = '(.+)'/.exec(index)![1] }
}

test('the browser bundle is built again after a change of any source, and only then', async () => {
  const folder = checkout()
  const first = await build(folder)
  appendFileSync(join(folder, 'client/messages.ts'), "\ndocument.title = 'changed'\n")
  const second = await build(folder)
  expect(second.script).not.toBe(first.script)

  appendFileSync(join(folder, 'client/styles/controls.css'), '\nbody { color: red }\n')
  const third = await build(folder)
  expect(third.style).not.toBe(second.style)

  const built = statSync(join(folder, 'public/build/index.js')).mtimeMs
  expect(await build(folder)).toEqual(third)
  expect(statSync(join(folder, 'public/build/index.js')).mtimeMs).toBe(built)
})
