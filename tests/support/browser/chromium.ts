/** The Chromium of the run, which a test file connects to. Contexts of other files do not appear in it. */
import { afterAll } from 'bun:test'
import { type Browser, chromium } from 'playwright'

export const STEP_TIMEOUT_MS = 60_000
const RETRY_MS = 100

let browser: Promise<Browser> | undefined

/** One connection for the test file: its contexts close with it. */
export const launched = () => (browser ??= connected(process.env.CHROMIUM_ADDRESS_FILE!))

afterAll(async () => (await browser)?.close())

/** Tries again while a browser that crashed is started anew. */
export async function connected(addressFile: string): Promise<Browser> {
  const end = performance.now() + STEP_TIMEOUT_MS
  for (;;) {
    try {
      return await chromium.connect(await Bun.file(addressFile).text(), { timeout: STEP_TIMEOUT_MS })
    } catch (error) {
      if (performance.now() > end) throw error
      await Bun.sleep(RETRY_MS)
    }
  }
}
