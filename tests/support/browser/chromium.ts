/** Chromium, once for a test file. */
import { afterAll } from 'bun:test'
import { type Browser, chromium } from 'playwright'
import { chromiumProgram } from '../debian-packages.ts'

export const STEP_TIMEOUT_MS = 60_000

let browser: Promise<Browser> | undefined

/** One browser for the test file: with one for the whole run, each step would pass through another process. */
export const launched = () =>
  (browser ??= chromium.launch({
    executablePath: chromiumProgram(),
    // Not --disable-threaded-compositing: it saves a sixth of the processor, but pages stop drawing and clicks time out.
    args: ['--no-sandbox', '--disable-gpu'],
    timeout: STEP_TIMEOUT_MS,
  }))

afterAll(async () => (await browser)?.close())
