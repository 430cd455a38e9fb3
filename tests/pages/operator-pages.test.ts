// @engine sqlite
/** What the operator writes, in a browser: hostile content is inert, a frame learns theme and language, a notice is closed. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { setOption } from '../support/app/options.ts'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { payloads } from '../support/browser/payloads.ts'
import { anyone, setUp } from '../support/people/person.ts'

await setUp()

const texts = ['HomePageContent', 'About', 'Notice', 'Footer']
const setAll = async (value: string) => {
  for (const key of texts) await setOption(key, value)
}

/** What the operator's parts of a page must not have. Images may be there: only of https sites, and inert. */
const hostile = (page: Page) =>
  page.evaluate(() => {
    const inside = [...document.querySelectorAll('.message-text *, .page-foot *')]
    const allowed = 'href title rel align start colspan rowspan src alt width height'.split(' ')
    const addresses = inside.map(element => element.getAttribute('href') ?? element.getAttribute('src') ?? '')
    return {
      parts: document.querySelectorAll('.message-text, .page-foot').length,
      ran: 'ran' in window,
      elements: inside
        .filter(element => element.matches('script,style,svg,math,iframe,form,input,video,link,base,meta,object'))
        .map(element => element.tagName),
      attributes: inside.flatMap(element => element.getAttributeNames()).filter(name => !allowed.includes(name)),
      schemes: addresses.filter(address => /^\s*\w+:/.test(address) && !/^(https?|mailto):/.test(address)),
      clobbered: document.getElementById('messages')?.tagName !== 'SCRIPT',
    }
  })

test(
  'hostile content of every kind is inert on the home page, the about page, in announcement and footer',
  async () => {
    await setAll(payloads.map((payload, index) => `before ${index}\n\n${payload}\n\nafter ${index}`).join('\n\n'))
    for (const [path, parts] of [
      ['/', 3],
      ['/about', 2],
    ] as const) {
      const page = await visit(anyone, '/login')
      await page.route(/evil\.example/, route => route.abort())
      await page.goto(path)
      const harmless = { parts, ran: false, elements: [], attributes: [], schemes: [], clobbered: false }
      expect([path, await hostile(page)]).toEqual([path, harmless])
      const refused = problemsOf(page).filter(problem => !/ERR_FAILED|404|401/.test(problem))
      expect([path, refused]).toEqual([path, []])
      await leave(page)
    }
    await setAll('')
  },
  PAGE_TEST_TIMEOUT_MS,
)

const FRAME = 'https://pages.example'
/** The framed site writes the messages that it gets into its title. */
const frameHtml = `<!doctype html><title>[]</title><script>
  addEventListener('message', ({ data, origin }) => {
    document.title = JSON.stringify([...JSON.parse(document.title), { ...data, origin: origin === '${FRAME}' }])
  })
</script><p>Welcome</p>`

test(
  'the frame of an operator’s page fills the window and learns theme and language',
  async () => {
    await setOption('HomePageContent', `${FRAME}/welcome`)
    await setOption('Notice', 'Open on **Friday**')
    for (const [theme, language, screen] of looksInTier([
      ['gate-night', 'zh', 'phone'],
      ['gate', 'en', 'desktop'],
    ] as const)) {
      const page = await visit(anyone, '/about', { theme, language, screen })
      await page.route(`${FRAME}/**`, route => route.fulfill({ contentType: 'text/html', body: frameHtml }))
      await page.goto('/')
      const frame = page.frames().find(frame => frame.url().startsWith(FRAME))!
      const mode = theme === 'gate' ? 'light' : 'dark'
      await frame.waitForFunction(() => JSON.parse(document.title).length >= 2)
      expect(JSON.parse(await frame.title()).slice(-2)).toEqual([
        { themeMode: mode, origin: false },
        { lang: language, origin: false },
      ])
      const box = (await page.locator('iframe').boundingBox())!
      const { width, height } = page.viewportSize()!
      expect([box.x, box.width, Math.round(box.y + box.height)]).toEqual([0, width, height])
      expect([await overflows(page), await accessibilityViolations(page)]).toEqual([false, []])
      expect(problemsOf(page)).toEqual([])
      await leave(page)
    }
    await setOption('HomePageContent', '')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the announcement is closed with and without JavaScript, and stays closed',
  async () => {
    await setOption('Notice', 'Open on **Friday**, [details](https://a.example)')
    for (const javascript of [true, false]) {
      const page = await visit(anyone, '/', { javascript, screen: 'phone' })
      if (javascript) expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Close the announcement' }).click()
      await page.getByText('Friday').waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toBe('/')
      await page.goto('/about')
      await page.goto('/')
      expect(await page.getByText('Friday').count()).toBe(0)
      await leave(page)
    }
    await setOption('Notice', '')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the built-in about page has no barrier on desktop and phone',
  async () => {
    for (const screen of looksInTier(['desktop', 'phone'] as const)) {
      const page = await visit(anyone, '/about', { screen, theme: screen === 'phone' ? 'gate-night' : 'gate' })
      expect([await overflows(page), await accessibilityViolations(page)]).toEqual([false, []])
      await leave(page)
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)
