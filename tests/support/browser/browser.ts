/** The application in a real Chromium, as a person of a test sees it. */
import { afterAll } from 'bun:test'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright'
import { type Language, languages } from '../../../src/contracts/languages.ts'
import { listen } from '../app/app.ts'
import { chromiumProgram } from '../debian-packages.ts'
import type { Person } from '../people/person.ts'

const WIDTHS = { desktop: 1440, tablet: 768, phone: 390 }
const HEIGHT = 900
/** Nothing is timed: what has not come by then never will. */
const PATIENCE_MS = 60_000
/** For a test with a browser in it. */
export const A_VISIT_MS = 240_000

type Options = {
  screen?: keyof typeof WIDTHS
  language?: Language
  theme?: 'gate' | 'gate-night'
  javascript?: boolean
}

let browser: Promise<Browser> | undefined

/** Open for the whole test file. Everything in it runs as one process, so root may do without the sandbox. */
const opened = () =>
  (browser ??= chromium.launch({ executablePath: chromiumProgram(), args: ['--no-sandbox'], timeout: PATIENCE_MS }))

afterAll(async () => (await browser)?.close())

const found = new WeakMap<Page, string[]>()

/** A window of this person's own, at a path. */
export async function visit(person: Person, path: string, options: Options = {}): Promise<Page> {
  const { screen = 'desktop', language = 'en', theme = 'gate', javascript = true } = options
  const url = listen()
  const context = await (await opened()).newContext({
    baseURL: url,
    viewport: { width: WIDTHS[screen], height: HEIGHT },
    locale: languages[language].tag,
    javaScriptEnabled: javascript,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  const cookies = [person.cookie, `language=${language}`, `theme=${theme}`, 'zone=UTC'].filter(Boolean)
  await context.addCookies(
    cookies.map(cookie => ({ name: cookie.split('=')[0]!, value: cookie.slice(cookie.indexOf('=') + 1), url })),
  )
  await context.addInitScript(readToasts)
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  watch(page)
  await page.goto(path)
  if (javascript) await page.evaluate(aTick)
  return page
}

/** Someone reads every toast, so none leaves before a busy machine has looked at it. */
function readToasts() {
  const read = () => {
    for (const toast of document.querySelectorAll('tollgate-toast')) toast.dispatchEvent(new Event('mouseenter'))
  }
  new MutationObserver(read).observe(document, { childList: true, subtree: true, attributeFilter: ['popover'] })
}

/** htmx begins a tick after the page has come. */
const aTick = () => new Promise(resolve => setTimeout(resolve))

/** What the browser complained of so far: thrown errors, refused scripts, missing files. */
export const problemsOf = (page: Page): string[] => found.get(page) ?? []

function watch(page: Page) {
  const problems: string[] = []
  found.set(page, problems)
  page.on('pageerror', error => problems.push(error.message))
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
}

/** What axe finds against WCAG 2.2 AA, each with the places where. */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run())
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`)
}

/** Whether anything makes the page scroll sideways. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
