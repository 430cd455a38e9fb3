/** The limit of a key and of a user as one field of their forms. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { setOption } from '../support/app/options.ts'
import { budgetsOf, keyOf, makeBudget } from '../support/people/budgets.ts'
import { client, MODEL, quotaOf } from '../support/people/client.ts'
import { type Person, setUp, visitor, withTokens } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { chat, gate } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const root = await setUp()
const [PROMPT, OUTPUT] = [8, 4]
const answers = chat({ usage: { prompt_tokens: PROMPT, completion_tokens: OUTPUT } })
const upstream = await startUpstream(answers)
await channelTo(upstream, { models: MODEL })
await setOption('PreConsumedQuota', 0)

const MONTH = { limit_amount: '10', limit_window: 'month' }

/** The form of a drawer as its page shows it, with these fields typed. */
async function fill(person: Person, path: string, typed: Record<string, string>, language: 'en' | 'zh' = 'en') {
  const html = (await (await person.page(path, { language })).text()).replaceAll('<!-- -->', '')
  const form = /<form[^>]*class="sheet[^>]*method="post"[\s\S]*?<\/form>/.exec(html)![0]
  const fields: Record<string, string> = {}
  for (const [, tag] of form.matchAll(/<(input[^>]*)>/g)) {
    const name = /name="([^"]*)"/.exec(tag!)?.[1]
    if (!name || (/type="checkbox"/.test(tag!) && !/ checked/.test(tag!))) continue
    fields[name] = /value="([^"]*)"/.exec(tag!)?.[1] ?? ''
  }
  for (const [, name, options] of form.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g))
    fields[name!] = /<option(?=[^>]* selected)[^>]*value="([^"]*)"/.exec(options!)?.[1] ?? ''
  const action = /action="([^"]*)"/.exec(form)![1]!.replaceAll('&amp;', '&')
  return { html: form, sent: await person.form(action, { ...fields, ...typed }, { language }) }
}

const keyIdOf = async (person: Person): Promise<number> => (await person.get('/api/token/')).data[0].id

test('a key with a limit per month is made in the form, and its budget refuses calls beyond', async () => {
  const who = await client()
  const { sent } = await fill(who.person, '/app/tokens?new', { name: 'crawler', ...MONTH })
  expect(sent.status).toBe(303)
  const [budget, ...others] = await budgetsOf('token', await keyIdOf(who.person))
  expect(others).toEqual([])
  expect(budget).toMatchObject({
    name: 'Limit per month',
    unit: 'quota',
    amount: 5_000_000,
    window: 'month',
    zone: 'UTC',
  })
  expect(budget).toMatchObject({ models: [], refuses: true, used: 0 })
})

test('the drawer shows what calls have used of the limit, and when it opens again', async () => {
  const who = await client()
  const id = await keyOf(who)
  const { sent } = await fill(who.person, `/app/tokens?edit=${id}`, MONTH)
  expect(sent.status).toBe(303)
  expect((await who.chat({ max_tokens: 4 })).status).toBe(200)
  const used = quotaOf(PROMPT, OUTPUT)
  expect((await budgetsOf('token', id))[0]).toMatchObject({ used })
  const { html } = await fill(who.person, `/app/tokens?edit=${id}`, {})
  expect(html).toMatch(
    /role="meter" aria-label="Limit per month" aria-valuenow="30" aria-valuemin="0" aria-valuemax="5000000"/,
  )
  expect(html).toContain('$0.000060 of $10.00')
  expect(html).toMatch(/opens again <time[^>]*>\d{4}-\d\d-01 00:00:00/)
})

test('the drawer counts what running calls hold as no longer left', async () => {
  const who = await client()
  const id = await keyOf(who)
  await makeBudget('token', id, { amount: 5 })
  const { script, open } = gate()
  upstream.scripts(MODEL, script)
  const running = await who.stream()
  const html = await (await who.person.page(`/app/tokens?edit=${id}`)).text()
  open()
  await running.text()
  upstream.scripts(MODEL, answers)
  expect(html.replaceAll('<!-- -->', '')).toMatch(/1 call held by running calls[\s\S]*4 calls left/)
})

test('an amount is changed, another window begins anew, and an empty field removes the limit and nothing else', async () => {
  const ann = await withTokens('crawler')
  const id = await keyIdOf(ann)
  const other = await makeBudget('token', id, { name: 'five calls', amount: 5 })
  const path = `/app/tokens?edit=${id}`
  const limit = async () => (await budgetsOf('token', id)).filter(budget => budget.id !== other.id)
  await fill(ann, path, MONTH)
  const [made] = await limit()
  await fill(ann, path, { limit_amount: '2.5' })
  expect(await limit()).toMatchObject([{ id: made!.id, amount: 1_250_000 }])
  await fill(ann, path, { name: 'renamed' })
  expect(await limit()).toMatchObject([{ id: made!.id, amount: 1_250_000 }])
  await fill(ann, path, { limit_window: 'all' })
  expect(await limit()).toMatchObject([{ name: 'Limit in all', amount: 1_250_000, window: 'all', zone: '' }])
  expect((await limit())[0]!.id).not.toBe(made!.id)
  await fill(ann, path, { limit_amount: '' })
  expect(await limit()).toEqual([])
  expect(await budgetsOf('token', id)).toMatchObject([other])
})

test.each([
  ['0', 'en', 'Enter an amount above 0'],
  ['-3', 'zh', '请填写大于 0 的数值'],
  ['much', 'en', 'Enter an amount above 0'],
] as const)(
  'a limit of %s is refused at its field, and nothing of the form is saved: %s',
  async (amount, language, words) => {
    const ann = await withTokens('crawler')
    const id = await keyIdOf(ann)
    const { sent } = await fill(ann, `/app/tokens?edit=${id}`, { name: 'renamed', limit_amount: amount }, language)
    expect(sent.status).toBe(422)
    const html = await sent.text()
    expect(html).toMatch(new RegExp(`id="field-limit_amount-error"[\\s\\S]{0,400}${words}`))
    expect((await ann.get(`/api/token/${id}`)).data.name).toBe('crawler')
    expect(await budgetsOf('token', id)).toEqual([])
  },
)

test('administrators set the limit of a user, which the audit log names and the user reads', async () => {
  const [admin, ann] = [await visitor(Role.admin), await visitor()]
  const { sent } = await fill(admin, `/admin/users?edit=${ann.id}`, { limit_amount: '3', limit_window: 'week' })
  expect(sent.status).toBe(303)
  expect((await ann.get('/api/budget/self')).data).toMatchObject([{ owner: 'user', amount: 1_500_000, window: 'week' }])
  const wallet = await (await ann.page('/app/wallet')).text()
  expect(wallet).toMatch(/role="meter" aria-label="Limit per week"/)
  const { items } = (await root.get('/api/audit/?action=budget.create')).data
  expect(items[0]).toMatchObject({ target_name: 'Limit per week' })
  const audit = await (await root.page('/admin/audit')).text()
  expect(audit).toInclude(`/admin/users?budget=${items[0].target_id}`)
})

test('the name that the field gives a limit is read in the language of its reader', async () => {
  const who = await client()
  const id = await keyOf(who)
  await fill(who.person, `/app/tokens?edit=${id}`, { limit_amount: '0.0001', limit_window: 'month' })
  const [{ id: budget } = { id: 0 }] = await budgetsOf('token', id)
  expect((await who.chat({ max_tokens: 4 })).status).toBe(200)
  const shown = { en: 'Limit per month', zh: '每月限额' } as const
  for (const language of ['en', 'zh'] as const) {
    const name = shown[language]
    const headers = { 'accept-language': language }
    const refusal = (await errorOf(await who.chat({ max_tokens: 4 }, { headers }))).message
    expect(refusal).toInclude(name)
    expect(refusal).toInclude('$0.0001')
    const page = async (path: string) => (await who.person.page(path, { language })).text()
    expect(await page(`/app/tokens?edit=${id}`)).toInclude(`role="meter" aria-label="${name}"`)
    expect(await page(`/app/tokens?budget=${budget}`)).toMatch(new RegExp(`<input[^>]*name="name"[^>]*value="${name}"`))
  }
  const read = async (language: 'en' | 'zh') => (await root.page('/admin/audit', { language })).text()
  await fill(root, `/admin/users?edit=${who.person.id}`, { limit_amount: '3', limit_window: 'week' }, 'zh')
  expect(await read('en')).toInclude('Limit per week')
  expect(await read('zh')).toInclude('每周限额')
})

test('a limit that cannot be made leaves the key as it was', async () => {
  const ann = await withTokens('crawler')
  const id = await keyIdOf(ann)
  for (let at = 0; at < 50; at++) await makeBudget('token', id, { amount: at + 1 })
  const { sent } = await fill(ann, `/app/tokens?edit=${id}`, { name: 'renamed', ...MONTH })
  expect(sent.status).toBe(422)
  expect((await sent.text()).includes('At most 50 budgets are possible here')).toBe(true)
  expect((await ann.get(`/api/token/${id}`)).data.name).toBe('crawler')
})
