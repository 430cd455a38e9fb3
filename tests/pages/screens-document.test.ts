// @engine sqlite
/** docs/screens.md: current, with every page of the console, and with pictures that show today's menu. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { screensDocument } from '../docs/screens.ts'
import { FOLDER, heroOf, heroThemes, keptLook, keptScreens, pathOf, pictureOf } from '../shots/looks.ts'
import { MENU_PATH, menuWords } from '../shots/menu.ts'
import { screens } from '../shots/screens.ts'
import { isApi, isOfRelay, routes } from '../support/app/routes.ts'

/** Routes of the console that are read by browsers and are no screens of their own. */
const noScreens = {
  files: `/build/:name /favicon.svg /favicon.ico /files/* /custom/global.css /custom/global.js /openapi.json
    /admin/settings/export.json /admin/diagnostics/bundle.json`,
  probes: '/healthz /readyz /metrics',
  // In the middle of a sign-in.
  beginnings: '/login/link /login/second-factor /user/reset',
  'parts of pages': `/try-it/receipt/:request_id /admin/channels/run/:kind /admin/channels/:id/menu
    /app/logs/api-usage/new /app/logs/api-usage/clearing /app/logs/drawing/rows /app/logs/tasks/rows /app/inbox/bell
    /app/wallet/orders/:id /app/tokens/first-steps /app/tokens/calls/:request_id /admin/users/:id/menu /admin/messages/:id/recipients`,
  'ways to another address': `/channel/add /channel/edit/:id /admin/channels/:id /admin/messages/:id
    /admin/coupons/:id /app/tokens/:id /admin/users/:id /user/edit /user/edit/:id /chat/:id /chat2link
    /app/tokens/:id/chat/:chat /app/wallet/orders/:id/pay /oauth/:provider/start /oauth/:provider /oauth/email/start
    /oauth/telegram/start /oauth/telegram /oauth/wechat/start`,
}
const excepted = Object.values(noScreens).flatMap(list => list.split(/\s+/))

test('docs/screens.md is current: `npm run docs` writes it', async () => {
  expect(await Bun.file('docs/screens.md').text()).toBe(screensDocument())
})

test('docs/screens.md has every page of the console', () => {
  const paths = routes
    .filter(route => route.method === 'GET' && !isApi(route) && !isOfRelay(route) && !route.path.endsWith('.csv'))
    .map(({ path }) => path)
  const pages = paths.filter(path => !excepted.includes(path))
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter(page => !screens.some(screen => isOn(screen, page)))).toEqual([])
  expect(excepted.filter(path => !paths.includes(path))).toEqual([])
})

const isOn = ({ path, page = path.replace(/\?.*/, '') }: (typeof screens)[number], route: string) =>
  page === route || new RegExp(`^${route.replaceAll(/:\w+/g, '[^/:]+')}$`).test(page)

test('the repository keeps eight pictures of screens, and no other', () => {
  const pictures = screens.flatMap(({ name }) => {
    const look = keptLook(name)
    return look ? { name: pictureOf(name, look), path: pathOf(name, look) } : []
  })
  expect(pictures).toHaveLength(keptScreens.length)
  const heroes = heroThemes.map(theme => ({ name: heroOf(theme), path: `${FOLDER}/${heroOf(theme)}` }))
  const all = [...pictures, ...heroes]
  expect(all).toHaveLength(8)
  expect(readdirSync(FOLDER).sort()).toEqual([...all.map(({ name }) => name), basename(MENU_PATH)].sort())
  expect(all.every(({ path }) => Bun.file(path).size > 0)).toBe(true)
})

test('pictures show the menu as it is: `npm run shots -- kept` takes them anew', async () => {
  expect(await Bun.file(MENU_PATH).text()).toBe(menuWords())
})

test('README begins with the picture of each theme', async () => {
  const readme = await Bun.file('README.md').text()
  const [picture = ''] = /<picture>[\s\S]*?<\/picture>/.exec(readme) ?? []
  for (const theme of heroThemes) expect(picture).toContain(`docs/screens/${heroOf(theme)}`)
  expect(readme.indexOf(picture)).toBeLessThan(readme.indexOf('## Start'))
})
