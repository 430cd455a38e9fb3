/** One Chromium for all test files of a run: to start one takes as long as a small file of page tests. */
import { writeFileSync } from 'node:fs'
import { type BrowserServer, chromium } from 'playwright'
import { chromiumProgram } from '../debian-packages.ts'

const START_TIMEOUT_MS = 60_000

export interface SharedBrowser {
  /** Of the browser that runs now. */
  pid(): number
  stop(): Promise<void>
}

/**
 * A browser that ends by itself is started anew.
 * @param file gets the address to connect to, again after each start
 */
export async function startBrowser(file: string): Promise<SharedBrowser> {
  let isWanted = true
  let server = await start()
  return {
    pid: () => server.process().pid!,
    stop() {
      isWanted = false
      return server.kill()
    },
  }

  async function start(): Promise<BrowserServer> {
    const started = await chromium.launchServer({
      executablePath: chromiumProgram(),
      // Root may do without the sandbox: every page is ours.
      args: ['--no-sandbox', '--disable-gpu'],
      timeout: START_TIMEOUT_MS,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    writeFileSync(file, started.wsEndpoint())
    started.on('close', async () => {
      if (isWanted) server = await start()
    })
    return started
  }
}
