/** A reader whose clicks are counted: a press of a button or link is one, and so is a choice in a select. */
import type { Locator, Page } from 'playwright'

export class Clicker {
  count = 0
  constructor(readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.count++
    await target.click()
  }

  async choose(select: Locator, label: string | RegExp): Promise<void> {
    this.count++
    const options = await select.locator('option').allTextContents()
    const found = options.find(text => (typeof label === 'string' ? text.trim() === label : label.test(text)))
    await select.selectOption({ label: found ?? String(label) })
  }

  button = (name: string | RegExp, within: Page | Locator = this.page) =>
    this.click(within.getByRole('button', { name, exact: typeof name === 'string' }).first())
  link = (name: string | RegExp, within: Page | Locator = this.page) =>
    this.click(within.getByRole('link', { name, exact: typeof name === 'string' }).first())
  /** An entry of the menu. */
  menu = (name: string) => this.click(this.page.locator('nav a:visible').filter({ hasText: name }).first())

  see = (text: string | RegExp) => this.page.getByText(text).locator('visible=true').first().waitFor()
}
