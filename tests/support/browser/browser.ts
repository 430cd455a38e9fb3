/** Pages of the application in Chromium. */
import { afterEach } from 'bun:test'
import type axe from 'axe-core'
import type { Page } from 'playwright'
import { allMessages } from '../../../src/locales/index.ts'
import { type Language, languages } from '../../../src/locales/languages.ts'
import { listen } from '../app/app.ts'
import type { Person } from '../people/person.ts'
import { launched, STEP_TIMEOUT_MS } from './chromium.ts'

const WIDTHS = { desktop: 1440, tablet: 768, phone: 390 }
const HEIGHT = 900
export const PAGE_TEST_TIMEOUT_MS = 240_000

interface Look {
  screen?: keyof typeof WIDTHS
  language?: Language
  theme?: 'gate' | 'gate-night'
  javascript?: boolean
  /** A browser context of its own, for a page whose clock is set: others are used again. */
  isolated?: boolean
}

/** All looks in the long tier, else the first: `every-screen` looks at each screen in one. */
export const looksInTier = <const Looks extends readonly unknown[]>(looks: Looks): readonly Looks[number][] =>
  process.env.TIER === 'long' ? looks : looks.slice(0, 1)

/** Pages are used again: a new one starts a renderer process and compiles every script, half of the time of a test. */
const idle = new Map<string, Page[]>()
const open = new Map<Page, string>()
const problems = new WeakMap<Page, string[]>()

afterEach(() => Promise.all(Array.from(open.keys(), leave)))

/** A page with the cookies of this person only, at a path. It is left when the test ends. */
export async function visit(person: Person, path: string, look: Look = {}): Promise<Page> {
  const { screen = 'desktop', language = 'en', theme = 'gate', javascript = true, isolated = false } = look
  const url = listen()
  const kind = isolated ? '' : `${language} ${javascript}`
  const page = idle.get(kind)?.pop() ?? (await newPage(url, language, javascript))
  open.set(page, kind)
  watch(page)
  const cookies = [person.cookie, `language=${language}`, `theme=${theme}`, 'zone=UTC'].filter(Boolean)
  await page
    .context()
    .addCookies(
      cookies.map(cookie => ({ name: cookie.split('=')[0]!, value: cookie.slice(cookie.indexOf('=') + 1), url })),
    )
  await page.setViewportSize({ width: WIDTHS[screen], height: HEIGHT })
  await page.goto(path)
  if (javascript) await page.evaluate(nextTask)
  return page
}

async function newPage(baseURL: string, language: Language, javaScriptEnabled: boolean): Promise<Page> {
  const locale = languages[language].tag
  const context = await (await launched()).newContext({
    baseURL,
    locale,
    javaScriptEnabled,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  await context.addInitScript(readToasts)
  const page = await context.newPage()
  page.setDefaultTimeout(STEP_TIMEOUT_MS)
  return page
}

/** Another site, and about:blank, would start a renderer process, which compiles every script again. */
const BLANK_PATH = '/api/status'

/** Ends a visit before its test does. Nothing of it reaches the next one. */
export async function leave(page: Page) {
  const kind = open.get(page)
  if (kind === undefined) return
  open.delete(page)
  const context = page.context()
  if (!kind || page.isClosed()) return context.close()
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.emulateMedia({ media: null, reducedMotion: 'reduce' })
  await page.mouse.move(0, 0)
  await page.goto(listen() + BLANK_PATH)
  await context.clearCookies()
  idle.set(kind, [...(idle.get(kind) ?? []), page])
}

/** Holds the mouse over every toast: none closes before a slow machine has looked at it. */
function readToasts() {
  const read = () => {
    for (const toast of document.querySelectorAll('tollgate-toast')) toast.dispatchEvent(new Event('mouseenter'))
  }
  new MutationObserver(read).observe(document, { childList: true, subtree: true, attributeFilter: ['popover'] })
}

/** htmx starts in the task after the page has loaded. */
const nextTask = () => new Promise(resolve => setTimeout(resolve))

/** What the browser noted so far: thrown errors, refused scripts, missing files. */
export const problemsOf = (page: Page): string[] => problems.get(page) ?? []

function watch(page: Page) {
  const found: string[] = []
  problems.set(page, found)
  page.on('pageerror', error => found.push(error.message))
  page.on('console', message => message.type() === 'error' && found.push(message.text()))
}

const axeSource = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()

/** Violations of WCAG 2.2 AA that axe finds, each with its elements; by these rules only when they are given. */
export async function accessibilityViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const { violations } = await page.evaluate(
    runOnly =>
      (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'], preload: false, runOnly }),
    rules,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`)
}

/** True when the page scrolls sideways. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** Keys of messages that stand where their text is missing. Scripts and code are left out. */
export async function untranslated(page: Page): Promise<string[]> {
  const key = new RegExp(`\\b(?:${Object.keys(allMessages().en).join('|')})\\.[a-z]+_[a-z_]+\\b`, 'g')
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (walker.nextNode()) {
      const node = walker.currentNode
      if (!node.parentElement!.closest('script, style, template, code, pre, .mono')) found.push(node.textContent!)
    }
    return found
  })
  return texts.flatMap(text => text.match(key) ?? [])
}

/** Texts that have room for hardly a letter in a line. */
export const squeezed = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isSqueezed = (element: Element) => {
      const text = Array.from(element.childNodes, node => (node.nodeType === Node.TEXT_NODE ? node.textContent : ''))
      if (text.join('').trim().length < 8 || element.closest('[aria-hidden=true]')) return false
      const size_px = Number.parseFloat(getComputedStyle(element).fontSize)
      const { width, height } = element.getBoundingClientRect()
      return width > 0 && width < 3 * size_px && height > 4 * size_px
    }
    return Array.from(document.querySelectorAll('main *'))
      .filter(isSqueezed)
      .map(element => element.textContent)
  })
