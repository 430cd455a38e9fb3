// @engine sqlite
/** A first call from the drawer of an API key: programs by tab, models by price, and the receipt of the call it sends. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { API_DOCS_PATH } from '../../src/contracts/api-docs.ts'
import { LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { now } from '../../src/process/clock.ts'
import { clientGuides } from '../../views/api-docs/clients.ts'
import { apiDocsAt } from '../../views/api-docs/view.ts'
import { PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { RICH } from '../support/people/client.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const upstream = await startUpstream(chat({ text: 'Hello there', usage }), 'gpt-4o-mini')
const models = 'gpt-4o,gpt-4o-mini,no-price,text-embedding-3-small'
await channelTo(upstream, { models })

/** Other files of the same process have channels with other models. */
const limits = { model_limits_enabled: true, model_limits: models }

const keyOf = async (person: Person, fields: object = {}) =>
  (await person.post('/api/token/', { ...limits, name: 'laptop', unlimited_quota: true, ...fields })).data

const panel = async (person: Person, query: string, language: 'en' | 'zh' = 'en') =>
  (await (await person.page(`/app/tokens?${query}`, { language })).text()).replaceAll('<!-- -->', '')

const modelsIn = (html: string) => /<select id="snippet-model".*?<\/select>/s.exec(html)?.[0] ?? ''
const optionsIn = (html: string) => [...modelsIn(html).matchAll(/<option value="([^"]+)"( selected="")?>([^<]*)/g)]
const programIn = (html: string, id: string) =>
  new RegExp(`data-snippet="${id}".*?<code>(.*?)</code>`, 's').exec(html)![1]!

test('the models of a key are its chat models, the cheapest first and those without a price last', async () => {
  const ann = await visitor()
  const { id } = await keyOf(ann)
  const html = await panel(ann, `keys=${id}`)
  expect(optionsIn(html).map(([, value, selected, label]) => [value, !!selected, label])).toEqual([
    ['gpt-4o-mini', true, 'gpt-4o-mini · $0.15 / $0.60'],
    ['gpt-4o', false, 'gpt-4o · $2.50 / $10.00'],
    ['no-price', false, 'no-price · No price'],
  ])
  const limited = await keyOf(ann, { model_limits: 'gpt-4o,not-served' })
  expect(optionsIn(await panel(ann, `keys=${limited.id}`)).map(([, value]) => value)).toEqual(['gpt-4o'])
  const lost = await keyOf(ann, { model_limits: 'not-served' })
  const without = await panel(ann, `keys=${lost.id}`, 'zh')
  expect([without.includes('name="model"'), without.includes('<tollgate-call'), without.includes('试一下')]).toEqual([
    ...[false, false, true],
  ])
})

test('each program holds key, base URL and the chosen model, and the address keeps model and tab', async () => {
  const ann = await visitor()
  const { id, key } = await keyOf(ann)
  const html = await panel(ann, `created=${id}&model=gpt-4o&snippet=node`)
  expect(/value="node"[^>]*checked=""|checked=""[^>]*value="node"/.test(html)).toBe(true)
  expect(html.match(/name="snippet"/g)).toHaveLength(8)
  for (const program of ['curl', 'python', 'node', 'anthropic', 'claude-code']) {
    const code = programIn(html, program)
    const base = /^(anthropic|claude-code)$/.test(program) ? 'http://localhost' : 'http://localhost/v1'
    expect([program, code.includes(base), code.includes(`sk-${key}`), code.includes('gpt-4o')]).toEqual([
      ...[program, true, true, true],
    ])
  }
  for (const [client, base] of Object.entries({ codex: '/v1', cursor: '/v1', 'cherry-studio': '' })) {
    const guide = new RegExp(`data-snippet="${client}".*?</section>`, 's').exec(html)![0]
    expect([client, guide.includes(`http://localhost${base}<`) || guide.includes(`localhost${base}&quot;`)]).toEqual([
      ...[client, true],
    ])
    expect(guide).toContain(`sk-${key}`)
  }
  const others = clientGuides.filter(({ id }) => !html.includes(`data-snippet="${id}"`))
  expect(html).toContain(`>${others.length} more clients with this key<`)
  const docs = await ann.form(`${API_DOCS_PATH}/key`, {
    key: String(id),
    returnTo: apiDocsAt({ client: others[0]!.id }),
  })
  expect(await docs.text()).toContain(`sk-${key}`)
  expect(html).toMatch(new RegExp(`value="${id}"[^>]*name="key"`))
  expect(programIn(html, 'anthropic')).not.toContain('localhost/v1')
  expect(html).toContain(`name="created" value="${id}"`)
  const other = await panel(ann, `keys=${id}&model=nonsense&snippet=nonsense`)
  expect(optionsIn(other).find(([, , selected]) => selected)![1]).toBe('gpt-4o-mini')
})

test('a call shows its receipt to the user who made it, and is waited for until the log has it', async () => {
  const [ann, ben] = [await visitor(), await visitor()]
  const path = '/app/tokens/calls/req_first'
  const waiting = await (await ann.page(path)).text()
  expect([waiting.includes('hx-get="/app/tokens/calls/req_first?tries=1"'), waiting.includes('<html')]).toEqual([
    ...[true, false],
  ])
  const given_up = await (await ann.page(`${path}?tries=10`)).text()
  expect([given_up.includes('hx-get'), given_up.includes('not in the usage log')]).toEqual([false, true])
  await db.insert(logs).values({
    ...{ user_id: ann.id, type: LogType.consume, model_name: 'gpt-4o', token_name: 'laptop', quota: 75 },
    ...{ created_at: now(), request_id: 'req_first' },
  })
  expect((await (await ann.page(path)).text()).includes('75 quota')).toBe(true)
  expect((await (await ben.page(path)).text()).includes('75 quota')).toBe(false)
  expect((await ann.page('/app/tokens/calls/%00')).status).toBe(404)
})

test(
  'a call is sent from the drawer, its receipt printed in place, and the key then deleted and brought back',
  async () => {
    const ann = await visitor(Role.user, RICH)
    const { id } = await keyOf(ann)
    const page = await visit(ann, `/app/tokens?keys=${id}`)
    await page.getByText('Claude Code').click()
    expect(await page.locator('[data-snippet=claude-code]').isVisible()).toBe(true)
    expect(await page.locator('[data-snippet=curl]').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Send it' }).click()
    await page.getByText('Hello there').waitFor()
    const receipt = page.locator('tollgate-call .receipt')
    await receipt.getByText('laptop').waitFor()
    const isInView = () => receipt.evaluate(sent => sent.getBoundingClientRect().bottom <= innerHeight)
    expect(await isInView()).toBe(true)

    await page.locator('#snippet-model').selectOption('gpt-4o')
    await page.waitForURL('**snippet=claude-code')
    expect(await page.locator('[data-snippet=claude-code]').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Send it' }).click()
    await page.locator('tollgate-call .error-text').waitFor()
    await page.getByRole('link', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'More for laptop' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted laptop').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Restored laptop').waitFor()
    await page.getByRole('link', { name: 'laptop', exact: true }).waitFor()
    expect(await page.getByText('Deleted laptop').count()).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)
