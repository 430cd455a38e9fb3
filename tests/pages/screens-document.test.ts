// @engine sqlite
/** docs/screens.md: current, and with the pictures that the repository keeps. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { screensDocument } from '../docs/screens.ts'
import { FOLDER, keptLook, keptScreens, pathOf, pictureOf } from '../shots/looks.ts'
import { screens } from '../shots/screens.ts'

test('docs/screens.md is current: `npm run docs` writes it', async () => {
  expect(await Bun.file('docs/screens.md').text()).toBe(screensDocument())
})

test('the repository keeps eight pictures of screens, and no other', () => {
  const pictures = screens.flatMap(({ name }) => {
    const look = keptLook(name)
    return look ? { name: pictureOf(name, look), path: pathOf(name, look) } : []
  })
  expect(pictures).toHaveLength(keptScreens.length)
  expect(pictures).toHaveLength(8)
  expect(readdirSync(FOLDER).sort()).toEqual(pictures.map(({ name }) => name).sort())
  expect(pictures.every(({ path }) => Bun.file(path).size > 0)).toBe(true)
})
