/**
 * `npm run shots [-- NAME…]`: pictures of the screens of docs/screens.md and README’s `hero`, taken from a demo; those
 * of the repository by `kept`.
 */
import { type Browser, type BrowserContext, chromium } from 'playwright'
import { languages } from '../../src/locales/languages.ts'
import { startServer } from '../support/app/server.ts'
import { chromiumProgram } from '../support/debian-packages.ts'
import { readers, showAddress, signIn, startDemo } from './demo.ts'
import { fontsLoaded, setFonts } from './fonts.ts'
import { takeHero } from './hero.ts'
import { heroThemes, keptLook, type Look, looks, pathOf } from './looks.ts'
import { MENU_PATH, menuWords } from './menu.ts'
import { FOUNDER, type Screen, screens } from './screens.ts'

const HEIGHT = 900
/** Of WebP. */
const QUALITY = 70
/** Charts and islands have drawn by then. */
const SETTLED_MS = 500

/** On a machine with much else to do. */
const STEP_TIMEOUT_MS = 180_000

const names = Bun.argv.slice(2)
const keptAlone = names.includes('kept')
const takesKept = !names.length || keptAlone
const chosen = screens.filter(({ name }) => takesKept || names.includes(name))

const demo = await startDemo()
await showAddress(demo.url, 'http://localhost:3000')
const browser = await chromium.launch({ executablePath: chromiumProgram(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const look of looks) for (const reader of readers) await takeAll(browser, reader, look)
  if (chosen.some(({ reader }) => reader === FOUNDER)) await takeFirstSteps(browser)
  if (takesKept || names.includes('hero')) await takeHeroes()
  if (takesKept) await Bun.write(MENU_PATH, menuWords())
} finally {
  await browser.close()
  await demo.stop()
}

async function takeFirstSteps(browser: Browser) {
  const empty = await startServer()
  for (const look of looks) await takeAll(browser, FOUNDER, look, empty.url)
  await empty.stop()
}

async function takeAll(browser: Browser, reader: Screen['reader'], look: Look, url = demo.url) {
  const isWanted = (screen: Screen) => screen.reader === reader && (!keptAlone || keptLook(screen.name) === look)
  const own = chosen.filter(isWanted)
  if (!own.length) return
  const context = await signedIn(browser, reader, look, url)
  for (const screen of own) await take(context, screen, look)
  await context.close()
}

async function takeHeroes() {
  for (const name of heroThemes) {
    const theme = name === 'light' ? 'gate' : 'gate-night'
    const context = await signedIn(browser, 'root', { width: 1440, theme, language: 'en' })
    await takeHero(browser, context, name)
    await context.close()
  }
}

async function signedIn(
  browser: Browser,
  reader: Screen['reader'],
  { width, theme, language }: Look,
  url = demo.url,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: HEIGHT },
    locale: languages[language].tag,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(STEP_TIMEOUT_MS)
  const cookies = { theme, language, zone: 'UTC' }
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
  await setFonts(context)
  await signIn(context, reader)
  return context
}

async function take(context: BrowserContext, screen: Screen, look: Look) {
  const page = await context.newPage()
  const response = await page.goto(screen.path)
  if ((response?.status() ?? 200) !== (screen.status ?? 200)) {
    throw new Error(`${screen.path} answers ${response?.status()}`)
  }
  await screen.act?.(page)
  await fontsLoaded(page)
  await page.waitForTimeout(SETTLED_MS)
  const picture = new Bun.Image(await page.screenshot()).webp({ quality: QUALITY })
  await Bun.write(pathOf(screen.name, look), await picture.bytes())
  await page.close()
}
