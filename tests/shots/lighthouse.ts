/**
 * `bun run lighthouse [--mobile] [NAME…]`: Lighthouse's scores of ten screens of the demo, with its preset for
 * desktops or, by `--mobile`, for phones. Another run follows a score below its mark: a busy machine slows a page down.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import lighthouse, { desktopConfig } from 'lighthouse'
import { type BrowserContext, chromium } from 'playwright'
import { chromiumProgram } from '../support/debian-packages.ts'
import { signIn, startDemo } from './demo.ts'
import { type Screen, screens } from './screens.ts'

const NAMES = [
  ...['home', 'login', 'pricing', 'availability', 'tokens', 'channels', 'usage-log', 'dashboard', 'usage-explorer'],
  ...['settings-operation', 'playground'],
]
const marks = { performance: 100, accessibility: 100, 'best-practices': 100 }
const RUNS_MAX = 3

type Category = keyof typeof marks
type Scores = Record<Category, number>

const categories = Object.keys(marks) as Category[]
const { values, positionals } = parseArgs({
  options: { mobile: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isMet = (scores: Scores) => categories.every(category => scores[category] >= marks[category])
const row = (cells: (string | number)[]) => `${cells.map(cell => String(cell).padEnd(20)).join('')}\n`
/** The sign-in page has set it: without it, a page with times loads twice. */
const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)
const names = positionals.length ? positionals : NAMES
const unknown = names.filter(name => !screens.some(screen => screen.name === name))
if (unknown.length) throw new Error(`no screens: ${unknown.join(' ')}`)

const demo = await startDemo()
const profile = mkdtempSync(join(tmpdir(), 'tollgate-lighthouse-'))
const context = await chromium.launchPersistentContext(profile, {
  executablePath: chromiumProgram(),
  baseURL: demo.url,
  viewport: null,
  args: ['--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'],
})
const port = Number(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0])
try {
  process.stdout.write(row(['', ...categories]))
  for (const screen of screens.filter(({ name }) => names.includes(name))) {
    const { scores, losses } = await measure(context, screen)
    process.stdout.write(row([screen.name, ...categories.map(category => scores[category])]))
    if (isMet(scores)) continue
    process.exitCode = 1
    for (const loss of losses) process.stdout.write(`  ${loss}\n`)
  }
} finally {
  await context.close()
  await demo.stop()
  rmSync(profile, { recursive: true, force: true })
}

/** The best of at most three runs. */
async function measure(browser: BrowserContext, screen: Screen) {
  await browser.clearCookies()
  await browser.addCookies([{ name: 'zone', value: zone, url: demo.url }])
  await signIn(browser, screen.reader)
  let best = await measureOnce(screen)
  for (let runs = 1; runs < RUNS_MAX && !isMet(best.scores); runs++) {
    const next = await measureOnce(screen)
    if (next.scores.performance > best.scores.performance) best = next
  }
  return best
}

/** @throws Error when another page opens than the screen's */
async function measureOnce({ name, path }: Screen) {
  const flags = { port, onlyCategories: categories, logLevel: 'silent' as const }
  const result = await lighthouse(demo.url + path, flags, values.mobile ? undefined : desktopConfig)
  const { lhr } = result!
  if (new URL(lhr.finalDisplayedUrl).pathname !== new URL(path, demo.url).pathname) {
    throw new Error(`${name} leads to ${lhr.finalDisplayedUrl}`)
  }
  const scores = Object.fromEntries(
    categories.map(category => [category, Math.round((lhr.categories[category]!.score ?? 0) * 100)]),
  ) as Scores
  const losses = categories
    .flatMap(category => lhr.categories[category]!.auditRefs)
    .filter(({ weight }) => weight)
    .map(({ id }) => lhr.audits[id]!)
    .filter(({ score }) => score !== null && score < 1)
    .map(({ title, displayValue = '' }) => `${title} ${displayValue}`)
  return { scores, losses }
}
