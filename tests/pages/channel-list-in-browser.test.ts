// @engine sqlite
/** The channel list in a browser: tags, selection, the menu of a row. */
import { expect, test } from 'bun:test'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import {
  accessibilityViolations,
  leave,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { toast } from '../support/browser/walks.ts'
import { setUp } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'

const root = await setUp()

test(
  'channels are shown by tag, tagged together, switched and copied',
  async () => {
    const eu = await makeChannel(root, { name: 'eu-one', tag: 'eu' })
    const alone = await makeChannel(root, { name: 'alone' })
    const page = await visit(root, '/admin/channels')
    await page.getByRole('switch', { name: 'By tag' }).click()
    await page.getByRole('link', { name: /^eu tag/ }).click()
    await page.getByRole('checkbox', { name: 'Select eu-one' }).check()
    await page.getByRole('checkbox', { name: 'Select alone' }).check()
    expect(await overflows(page)).toBe(false)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Set tag' }).click()
    await page.getByRole('dialog').getByLabel('Tag').fill('all')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await toast(page).getByText('2 channels updated').waitFor()
    expect((await storedChannel(alone.id)).tag).toBe('all')
    await page.getByRole('link', { name: /^all tag/ }).click()
    await page.getByRole('button', { name: 'Disable eu-one' }).click()
    await page.getByRole('button', { name: 'Enable eu-one' }).waitFor()
    expect((await storedChannel(eu.id)).status).toBe(ChannelStatus.disabled)
    await page.getByRole('button', { name: 'More for alone' }).click()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('dialog', { name: 'Edit alone_copy' }).waitFor()
    expect(problemsOf(page)).toEqual([])
    await leave(page)
  },
  PAGE_TEST_TIMEOUT_MS,
)
