/** `npm run shots [-- NAME…]`: pictures of the screens of docs/screens.md, taken from a demo. */
import { type Browser, type BrowserContext, chromium } from 'playwright'
import { languages } from '../../src/locales/languages.ts'
import { chromiumProgram } from '../support/debian-packages.ts'
import { readers, signIn, startDemo } from './demo.ts'
import { type Look, looks, pathOf } from './looks.ts'
import { type Reader, type Screen, screens } from './screens.ts'

const HEIGHT = 900
/** Of WebP. */
const QUALITY = 70
/** Charts and islands have drawn by then. */
const SETTLED_MS = 500

const names = Bun.argv.slice(2)
const chosen = screens.filter(({ name }) => !names.length || names.includes(name))

const demo = await startDemo()
const browser = await chromium.launch({ executablePath: chromiumProgram(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const look of looks) for (const reader of readers) await takeAll(browser, reader, look)
} finally {
  await browser.close()
  await demo.stop()
}

async function takeAll(browser: Browser, reader: Reader, look: Look) {
  const own = chosen.filter(screen => screen.reader === reader)
  if (!own.length) return
  const context = await signedIn(browser, reader, look)
  for (const screen of own) await take(context, screen, look)
  await context.close()
}

async function signedIn(browser: Browser, reader: Reader, { width, theme, language }: Look): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: demo.url,
    viewport: { width, height: HEIGHT },
    locale: languages[language].tag,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  const cookies = { theme, language, zone: 'UTC' }
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: demo.url })))
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
  await page.waitForTimeout(SETTLED_MS)
  const picture = new Bun.Image(await page.screenshot()).webp({ quality: QUALITY })
  await Bun.write(pathOf(screen.name, look), await picture.bytes())
  await page.close()
}
