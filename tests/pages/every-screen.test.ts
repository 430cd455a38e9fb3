// @engine sqlite
/**
 * Every screen of docs/screens.md, on the demo: axe finds nothing, nothing scrolls sideways or is squeezed, no error is logged, no text is missing. In the
 * short tier axe looks at every third screen: the tests of most screens have it look at them too.
 */
import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { USAGE_BY } from '../../src/contracts/dashboard.ts'
import { languages } from '../../src/locales/languages.ts'
import { readers, signIn, startDemo } from '../shots/demo.ts'
import { type Reader, type Screen, screens } from '../shots/screens.ts'
import { accessibilityViolations, overflows, squeezed, untranslated } from '../support/browser/browser.ts'
import { launched, STEP_TIMEOUT_MS } from '../support/browser/chromium.ts'
import { unlinkedThings } from '../support/browser/named-things.ts'
import { inTier } from '../support/tier.ts'

const HEIGHT = 900
/** Of each reader. */
const SCREENS_MIN = 8
/** Thirty screens in a test, on a machine with much else to do. */
const TIMEOUT_MS = 900_000
/** Screens from one that axe looks at to the next. */
const AXE_STEP = inTier({ short: 3, long: 1 })
/** Rules whose result depends on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** The page opens in the first width. Its colours are looked at in the other theme too, where one is named. */
const allLooks = [
  { language: 'zh', widths: [1440, 768, 390], theme: 'gate', otherTheme: 'gate-night' },
  { language: 'en', widths: [390, 620], theme: 'gate-night' },
] as const
const looks = process.env.TIER === 'long' ? allLooks : allLooks.slice(1)

type Look = (typeof allLooks)[number]

const demo = await startDemo()
afterAll(() => demo.stop())

test.each(looks.flatMap(look => readers.map(reader => ({ ...look, reader }))))(
  'axe finds nothing on the screens of $reader, and none overflows, logs errors or lacks texts: $language, $theme',
  async ({ reader, ...look }) => {
    const page = await newPage(look)
    await signIn(page.context(), reader)
    const own = screens.filter(screen => screen.reader === reader)
    expect(own.length).toBeGreaterThanOrEqual(SCREENS_MIN)
    for (const screen of own) {
      expect([screen.name, await findingsOn(page, screen, look)]).toEqual([screen.name, []])
    }
    for (const path of furtherLists[reader]) {
      await page.goto(path)
      if (path === OPENED) await openFirst(page)
      expect([path, await unlinkedThings(page, look.language)]).toEqual([path, []])
    }
    await page.context().close()
  },
  TIMEOUT_MS,
)

const explorers = USAGE_BY.map(by => `/app/dashboard?as=table&rows=${by}&split=${by === 'model' ? 'channel' : 'model'}`)

/** The usage log with its first call open. */
const OPENED = '/app/logs/api-usage?type=2'

async function openFirst(page: Page) {
  const row = page.locator('tbody .fold a[href*="open="]').first()
  await page.goto((await row.getAttribute('href'))!)
  await page.locator('.log-detail').waitFor()
}

/** Where users, keys, channels, models and orders are named too, and must be links. */
const furtherLists: Record<Reader, string[]> = {
  visitor: [],
  user: ['/app/dashboard?as=table&rows=token', OPENED],
  root: [...['/app/dashboard', ...explorers, '/app/logs/api-usage?type=6', OPENED], ...['/admin/orders?status=paid']],
}

async function newPage({ theme, language }: Look): Promise<Page> {
  const context = await (await launched()).newContext({
    baseURL: demo.url,
    locale: languages[language].tag,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  const cookies = { theme, language, zone: 'UTC' }
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: demo.url })))
  const page = await context.newPage()
  page.setDefaultTimeout(STEP_TIMEOUT_MS)
  return page
}

async function findingsOn(page: Page, screen: Screen, look: Look): Promise<string[]> {
  const findings: string[] = []
  page.removeAllListeners()
  page.on('pageerror', error => findings.push(error.message))
  page.on('console', message => message.type() === 'error' && !screen.status && findings.push(message.text()))
  await page.setViewportSize({ width: look.widths[0], height: HEIGHT })
  await page.goto(screen.path)
  await screen.act?.(page)
  findings.push(...(await unlinkedThings(page, look.language)), ...(await untranslated(page)))
  if (screens.indexOf(screen) % AXE_STEP === 0) findings.push(...(await accessibilityViolations(page)))
  if ('otherTheme' in look) {
    await setTheme(page, look.otherTheme)
    findings.push(...(await accessibilityViolations(page, colourRules)))
  }
  for (const width of look.widths) {
    await page.setViewportSize({ width, height: HEIGHT })
    if (await overflows(page)) findings.push(`overflows at ${width} px`)
    findings.push(...(await squeezed(page)).map(text => `squeezed at ${width} px: ${text}`))
  }
  return findings
}

/** Colours that fade arrive at once. */
const setTheme = (page: Page, theme: string) =>
  page.evaluate(name => {
    document.documentElement.dataset.theme = name
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
  }, theme)
