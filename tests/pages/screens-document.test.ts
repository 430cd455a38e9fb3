// @engine sqlite
/** docs/screens.md: current, and with a picture of every screen in every look. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { screensDocument } from '../docs/screens.ts'
import { FOLDER, looks, pictureOf } from '../shots/looks.ts'
import { screens } from '../shots/screens.ts'

test('docs/screens.md is current: `bun run docs` writes it', async () => {
  expect(await Bun.file('docs/screens.md').text()).toBe(screensDocument())
})

test('every screen has its pictures, and every picture its screen: `bun run shots` takes them', () => {
  const wanted = screens.flatMap(({ name }) => looks.map(look => pictureOf(name, look)))
  expect(existsSync(FOLDER) ? readdirSync(FOLDER).sort() : []).toEqual(wanted.sort())
  expect(wanted.every(name => Bun.file(join(FOLDER, name)).size > 0)).toBe(true)
})
