// @engine sqlite
/** The home page in Chinese: lines break between phrases, at every width. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { leave, overflows, PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { anyone, setUp } from '../support/people/person.ts'

await setUp()
const WIDTHS = [320, 360, 375, 390, 414, 600, 689, 768, 1024, 1280, 1440]
const HEIGHT = 800
/** What no line begins with. */
const TRAILING = '，。、；：！？'
const WORDS = ['密钥', '调用', '所有', '模型', '每次', '都有', '小票']

/** Lines of a text as they are drawn. */
const linesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate(element => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const lines = new Map<number, string>()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent!
      for (let at = 0; at < text.length; at++) {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const rect = range.getClientRects()[0]
        if (rect?.width) lines.set(Math.round(rect.top), (lines.get(Math.round(rect.top)) ?? '') + text[at])
      }
    }
    return [...lines.values()].map(line => line.trim()).filter(Boolean)
  })

test(
  'no line of the opening begins with a comma or splits a word',
  async () => {
    const page = await visit(anyone, '/', { language: 'zh' })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      const heading = await linesOf(page, '.opening h1')
      const lead = await linesOf(page, '.opening .lead')
      const bad = [...heading, ...lead].filter(line => TRAILING.includes(line[0]!))
      const split = WORDS.filter(word => heading.join('').includes(word) && !heading.some(line => line.includes(word)))
      const cut = await page.locator('.opening h1').evaluate(text => text.scrollWidth > text.clientWidth)
      expect({ width, heading, cut, bad, split, isWide: await overflows(page) }).toEqual({
        width,
        heading: expect.any(Array),
        cut: false,
        bad: [],
        split: [],
        isWide: false,
      })
    }
    await leave(page)
  },
  PAGE_TEST_TIMEOUT_MS,
)
