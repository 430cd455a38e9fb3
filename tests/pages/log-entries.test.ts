// @engine sqlite
/** A row of the usage log and its detail, for its owner and for operators. */
import { beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { LOGS_PATH, type LogDetails, LogType } from '../../src/contracts/log.ts'
import { joinMessages, type LoggedMessage } from '../../src/contracts/logged-messages.ts'
import { atomic } from '../../src/db/atomic.ts'
import { type NewLog, recordAll } from '../../src/domain/logs/service.ts'
import {
  accessibilityViolations,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { MODEL, RICH } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { write } from '../support/people/usage-log.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

let root: Person
let ann: Person

beforeAll(async () => {
  root = await setUp()
  ann = await visitor(Role.user)
})

/** Writes an entry of Ann's and opens it. */
async function opened(model_name: string, fields: Partial<NewLog>, other: LogDetails = {}) {
  const entry = { user_id: ann.id, username: ann.username, type: LogType.consume, model_name, ...fields }
  await atomic(tx => recordAll(tx, [{ ...entry, other: JSON.stringify(other) }]))
  const { items } = (await root.get(`/api/log/?model_name=${model_name}`)).data
  const [{ id }] = items
  return { id, mine: await read(ann, id), whole: await read(root, id) }
}

async function pageOf(person: Person, open: number, cookie = '') {
  const page = await person.page(`${LOGS_PATH}?open=${open}`, { headers: { cookie: `${person.cookie}; ${cookie}` } })
  const html = await page.text()
  return html.slice(html.indexOf('<main'), html.indexOf('</main>'))
}

async function read(person: Person, open: number, cookie?: string) {
  return (await pageOf(person, open, cookie))
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

test('a call with a fixed price shows price, interruption and logged texts', async () => {
  const { mine } = await opened(
    'painter',
    {
      ...{ quota: 20_000, group: 'vip', is_stream: true, token_name: 'crawler', request_id: 'req_painter' },
      ...{ prompt_tokens: 1200, completion_tokens: 34 },
    },
    {
      ...{ model_price: 0.02, model_ratio: 0, group_ratio: 0.5, user_group_ratio: 0.25, partial: true },
      ...{ request_path: '/v1/realtime', ws: true, reasoning_effort: 'high', duration_ms: 900, frt: 700 },
      ...{ system_prompt: 'Said first', input_content: 'Asked', output_content: 'Answered' },
      lines: [{ bucket: 'call', count: 2, unit_price: 0.02, per: 1, ratio: '1', amount: '20000' }],
    },
  )
  expect(mine).toContain(' painter crawler vip ×0.5 1,200 34 0.70 s 0.90 s $0.0 40000 ')
  expect(mine).toContain('API key crawler · streamed · incomplete Item Count × $ Amount Call 2 0.02 0.040000')
  expect(mine).toContain('Group vip × 0.5 Total $0.040000 20,000 quota Request req_painter Time')
  expect(mine).toContain('Price $0.02 per call Group vip ×0.5 user group ×0.25 Client')
  expect(mine).toContain('Endpoint GET /v1/realtime Reasoning effort high')
  expect(mine).toContain('System prompt Said first User Asked Response Answered')
})

test('a free model shows a price of $0.00', async () => {
  const { mine } = await opened('gift', { quota: 0 }, { model_price: 0, model_ratio: 0 })
  expect(mine).toContain('Price $0.00 per call')
})

test('a credit has a plus sign and two decimals', async () => {
  const { mine } = await opened('code', { type: LogType.topUp, quota: 2_500_000, content: 'Redeemed' })
  expect(mine).toContain('code Redeemed + $5.00 ')
})

test('a failed call shows its route to operators, and the retry flag can be hidden', async () => {
  const attempts = [
    { channel: 1, name: 'silent', status: 0, reason: 'timed out', ms: 10 },
    { channel: 2, name: 'broken', status: 200, reason: 'cut off', ms: 10 },
  ]
  const failed = { type: LogType.error, content: '', token_name: 'crawler' }
  const { id, mine, whole } = await opened('failed', failed, {
    ...{ status_code: 502, error_type: 'upstream_error', admin_info: { use_channel: ['1', '2'], attempts } },
  })
  expect(whole).toContain(
    'crawler retry 1 502 cut off $0 Model failed Route #1 silent no response timed out → #2 broken 200 cut',
  )
  for (const outcome of ['no response timed out', '200 cut off'])
    expect(await pageOf(root, id)).toContain(`<span class="state stopped">${outcome}</span>`)
  expect(mine).not.toContain('silent')
  const columns = { 'columns[]': ['user', 'token', 'channel', 'counts'], returnTo: LOGS_PATH }
  const cookie = (await root.form(`${LOGS_PATH}/columns`, columns)).headers.get('set-cookie')!.split(';')[0]!
  expect(await read(root, 0, cookie)).not.toContain('retry 1')
})

test('a user name links operators to the figures of that user', async () => {
  const people = [...(await pageOf(root, 0)).matchAll(/href="[^"]*[?;]user=(\d+)/g)].map(([, id]) => Number(id))
  expect(people.length).toBeGreaterThan(2)
  expect(new Set(people)).toEqual(new Set([ann.id]))
})

test(
  'a call of the log is unfolded by the keyboard, copied, and taken over: its last message waits to be sent',
  async () => {
    const bob = await visitor(Role.user, RICH)
    const long = 'word '.repeat(200).trim()
    const said: LoggedMessage[] = [
      { role: 'user', text: 'One?' },
      { role: 'assistant', text: long },
    ]
    const kept = { ...joinMessages(said), system_prompt: 'Count.', input_content: 'Two?', output_content: 'Yes.' }
    const other = JSON.stringify({ ...kept, request_path: '/v1/chat/completions' })
    await write(bob, { model_name: MODEL, group: 'default', quota: 5, other })
    const [{ id }] = (await bob.get('/api/log/self')).data.items
    const upstream = await startUpstream()
    await channelTo(upstream, { models: MODEL })
    const page = await visit(bob, `${LOGS_PATH}?open=${id}`, { screen: 'phone' })
    const text = page.locator('.logged-text p').nth(2)
    const isCut = () => text.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
    expect(await isCut()).toBe(true)
    await page.locator('.logged-text summary').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Show less').waitFor()
    expect(await isCut()).toBe(false)
    expect(await overflows(page)).toBe(false)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy all' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(
      ['System prompt', 'Count.', 'User', 'One?', 'Assistant', long, 'User', 'Two?', 'Response', 'Yes.'].join('\n\n'),
    )
    await page.getByRole('link', { name: 'Open in the playground' }).click()
    await page.locator('.composer textarea').waitFor()
    expect(await page.locator('.composer textarea').inputValue()).toBe('Two?')
    upstream.scripts(MODEL, chat({ text: 'Three.' }))
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Three.').waitFor()
    const { messages } = upstream.journal.at(-1)!.body as { messages: { content: string }[] }
    expect(messages.map(({ content }) => content)).toEqual(['Count.', 'One?', long, 'Two?'])
    expect(problemsOf(page)).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)
