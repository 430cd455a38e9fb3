// @engine sqlite
/** Options whose text is nonsense: refused as they are saved, replaced by their defaults as they are read. */
import { beforeEach, expect, test } from 'bun:test'
import { SETTINGS_TABS } from '../../src/contracts/option.ts'
import { db } from '../../src/db/database.ts'
import { catalog, type OptionKey, optionKeys } from '../../src/domain/options/catalog.ts'
import { loadOptions, option } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { client, quotaOf } from '../support/people/client.ts'
import { anyone, setUp } from '../support/people/person.ts'
import { casesInTier } from '../support/tier.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

const root = await setUp()
beforeEach(forget)

const keysWith = (widget: string) => optionKeys.filter(key => catalog[key].widget === widget)

async function forget() {
  await db.delete(options)
  await loadOptions()
}

async function expectRefusals(key: OptionKey, texts: unknown[]) {
  for (const value of texts) {
    const { status, field, success } = await root.put('/api/option/', { key, value })
    const shown = String(value).slice(0, 30)
    expect([shown, status, field, success]).toEqual([shown, 400, key, false])
  }
  expect(await db.$count(options)).toBe(0)
}

/** No JSON option has this shape. */
const noShape = [
  'null',
  '5',
  'true',
  '"x"',
  '[[1]]',
  '{"a":null}',
  '{"a":[[1]]}',
  '{"a":{"b":{"c":1}}}',
  '{"a":{"b":-1}}',
]
const noJson = ['{"a":', '{"a":1}x', '{"a":1,}', "{'a':1}"]

test.each(keysWith('json').map((key, row) => [key, row] as const))(
  'option %s refuses JSON of another shape, and what is no JSON',
  (key, row) => expectRefusals(key, [...casesInTier(noShape, row, 3), ...casesInTier(noJson, row, 1)]),
)

const deep = ['['.repeat(100_000), '{"a":'.repeat(100_000), `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`]

test.each(['ModelRatio', 'Chats', 'gemini.supported_imagine_models'] as const)('option %s refuses deep JSON', key =>
  expectRefusals(key, deep),
)

const ratioKeys = keysWith('json').filter(key => /Ratio$|Price$/.test(key) && key !== 'TierRatio')

test.each(ratioKeys)('option %s refuses numbers below 0 and above what is exact', key => {
  const entry = (number: string) => (key === 'GroupGroupRatio' ? `{"a":{"b":${number}}}` : `{"a":${number}}`)
  return expectRefusals(key, ['-1', '-1e-9', '1e308', '1e400', '9007199254740993', 'NaN', '"5"', 'true'].map(entry))
})

const noNumbers = ['NaN', '1e400', '9007199254740993', '-1', '0x10', '5abc', '1,5', '１２', '٣', '[5]', true]

test.each(keysWith('number').map((key, row) => [key, row] as const))(
  'option %s refuses what is no number of its range',
  (key, row) => expectRefusals(key, [...casesInTier(noNumbers, row, 3)]),
)

test('minus zero is stored as zero', async () => {
  expect(await root.put('/api/option/', { key: 'RetryTimes', value: '-0' })).toMatchObject({ success: true })
  expect((await db.select().from(options))[0]!.value).toBe('0')
})

test.each(['g'.repeat(101), 'a,b', ' a', '', '\0', '\ud800', 'a\nb'])('a group named %j is refused', async name => {
  await expectRefusals('GroupRatio', [JSON.stringify({ default: 1, [name]: 1 })])
})

test('names of JavaScript objects are groups and models like others, and change no prototype', async () => {
  const { upstream } = await served(chat(), { models: 'constructor' }, 'constructor')
  const ann = await client()
  expect((await ann.chat({ model: 'constructor' })).status).toBe(400)
  const value = '{"default":1,"constructor":2,"toString":3,"__proto__":4}'
  for (const key of ['GroupRatio', 'ModelRatio'])
    expect(await root.put('/api/option/', { key, value })).toMatchObject({ success: true })
  expect((await ann.chat({ model: 'constructor' })).status).toBe(200)
  expect([upstream.journal.length, ({} as { default?: number }).default]).toEqual([1, undefined])
})

const stored = ['null', '[[1]]', '{"a":{"b":-1}}', '{"a":', deep[2]!].map((text): [string, string] => [
  text.slice(0, 30),
  text,
])

test.each([...casesInTier(stored, 2, 2)])(
  'a site with %j in every stored option starts, shows its pages and bills as by default',
  async (_, text) => {
    await served(chat())
    const ann = await client()
    const before = await ann.balance()
    await db.insert(options).values(optionKeys.map(key => ({ key, value: text })))
    await loadOptions()
    for (const key of keysWith('json')) expect<unknown[]>([key, option(key)]).toEqual([key, catalog[key].initial])
    const paths = [
      '/',
      '/pricing',
      '/playground',
      '/app/tokens?new',
      '/admin/channels?new',
      '/admin/settings?tab=operation&area=prices&view=tables',
    ]
    const tabs = SETTINGS_TABS.map(tab => `/admin/settings?tab=${tab}`)
    for (const path of [...paths, ...tabs]) expect([path, (await root.page(path)).status < 400]).toEqual([path, true])
    for (const path of ['/api/status', '/api/pricing']) expect((await anyone.get(path)).status).toBe(200)
    const response = await ann.chat()
    const { usage } = (await response.json()) as any
    expect(before - (await ann.balance())).toBe(quotaOf(usage.prompt_tokens, usage.completion_tokens))
  },
)
