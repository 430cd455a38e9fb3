/** The picture at the top of README: the dashboard of everyone, and before it the receipt of a call. */
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { openReceipt } from './acts.ts'
import { fontsLoaded } from './fonts.ts'
import { FOLDER, HERO_HEIGHT, type HeroTheme, heroOf } from './looks.ts'

const DASHBOARD = '/app/dashboard?range=30d'
const RECEIPT = '/app/logs/api-usage?model_name=claude-opus-4-8'
const QUALITY = 80

export async function takeHero(browser: Browser, context: BrowserContext, theme: HeroTheme): Promise<void> {
  const page = await context.newPage()
  await page.goto(DASHBOARD)
  await fontsLoaded(page)
  const dashboard = await page.screenshot()
  await page.goto(RECEIPT)
  await openReceipt(page)
  await fontsLoaded(page)
  const receipt = await page.locator('.receipt').screenshot()
  await page.close()
  const picture = new Bun.Image(await together(browser, dashboard, receipt)).webp({ quality: QUALITY })
  await Bun.write(join(FOLDER, heroOf(theme)), await picture.bytes())
}

/** Its corners are transparent: it lies on light pages and on dark ones. */
async function together(browser: Browser, dashboard: Buffer, receipt: Buffer): Promise<Buffer> {
  const page: Page = await browser.newPage({ viewport: { width: 1440, height: HERO_HEIGHT } })
  const address = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`
  await page.setContent(`<style>
    body { margin: 0; position: relative; background: transparent }
    img { display: block }
    .dashboard { border-radius: 12px; border: 1px solid #8885; box-sizing: border-box; width: 1440px }
    .receipt { position: absolute; right: 48px; bottom: 0; border-radius: 4px;
      box-shadow: 0 0 0 1px #8886, 0 16px 48px #0006 }
  </style><img class="dashboard" src="${address(dashboard)}"><img class="receipt" src="${address(receipt)}">`)
  await page.waitForFunction(() => Array.from(document.images).every(image => image.complete))
  const picture = await page.screenshot({ omitBackground: true })
  await page.close()
  return picture
}
