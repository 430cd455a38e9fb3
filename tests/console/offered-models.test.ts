/** Models that are offered where one is chosen: those of the group, with its prices, in the order of their cost. */
import { expect, test } from 'bun:test'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import { changeUser } from '../support/people/password-reset.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const upstream = await startUpstream()
await channelTo(upstream, { group: 'default', models: 'offered-default' })
const ofVip = ['offered-by-call', 'offered-dear', 'offered-cheap', 'offered-by-second', 'offered-unpriced', 'm3e-large']
await channelTo(upstream, { group: 'vip', models: ofVip.join() })
await setPrice('GroupRatio', { default: 1, vip: 2 })
await setOption('UserUsableGroups', '{"default":"Everyone","vip":"Quick lane"}')
await setPrice('ModelRatio', { 'offered-default': 1, 'offered-dear': 50, 'offered-cheap': 1, 'm3e-large': 1 })
await setPrice('CompletionRatio', { 'offered-dear': 3, 'offered-cheap': 2 })
await setPrice('ModelPrice', { 'offered-by-call': 0.02 })
await setPrice('TaskPrice', { 'offered-by-second': { unit: 'second', price: 0.5 } })

async function keyOf(person: Person, fields: object = {}): Promise<number> {
  return (await person.post('/api/token/', { name: 'laptop', unlimited_quota: true, ...fields })).data.id
}

/** Names and prices in the dialog of a key. */
async function optionsOf(person: Person, id: number) {
  const html = (await (await person.page(`/app/tokens?keys=${id}`)).text()).replaceAll('<!-- -->', '')
  const choice = /<select id="snippet-model".*?<\/select>/s.exec(html)?.[0] ?? ''
  return [...choice.matchAll(/<option value="[^"]+"[^>]*>([^<]*)/g)].map(([, text]) => text)
}

test('offered models: each kind of price is multiplied by the ratio of the group, and a task has none', async () => {
  const ann = await visitor()
  const { data } = await ann.get('/api/playground/models?group=vip')
  expect(data.toSorted((one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1))).toEqual([
    { name: 'offered-by-call', per_call: 0.04 },
    { name: 'offered-by-second' },
    { name: 'offered-cheap', input: 4, output: 8 },
    { name: 'offered-dear', input: 200, output: 600 },
    { name: 'offered-unpriced' },
  ])
})

test('offered models: a key offers the chats of its group, by tokens from the cheapest, then by call', async () => {
  const ann = await visitor()
  const byCost = [
    'offered-cheap · $4.00 / $8.00',
    'offered-dear · $200.00 / $600.00',
    'offered-by-call · $0.04 per call',
    ...['offered-by-second · No price', 'offered-unpriced · No price'],
  ]
  const listed = await optionsOf(ann, await keyOf(ann, { group: 'vip' }))
  expect([...listed.slice(0, 3), ...listed.slice(3).sort()]).toEqual(byCost)
  const limits = { model_limits_enabled: true, model_limits: 'offered-dear,m3e-large,offered-default' }
  expect(await optionsOf(ann, await keyOf(ann, { group: 'vip', ...limits }))).toEqual([byCost[1]!])
  expect(await optionsOf(ann, await keyOf(ann, limits))).toEqual(['offered-default · $2.00 / $2.00'])
  await changeUser(ann, { group: 'vip' })
  expect(await optionsOf(ann, await keyOf(ann, limits))).toEqual([byCost[1]!])
})

test('offered models: the palette shows the prices of the group of its user', async () => {
  const [ann, bea] = [await visitor(), await visitor()]
  await changeUser(bea, { group: 'vip' })
  const line = async (person: Person, text: string) => {
    const headers = { 'hx-request': 'true', 'hx-request-type': 'partial', 'hx-target': 'div#palette-results' }
    const html = await (await person.page(`/palette?q=${text}`, { headers })).text()
    return html.replace(/<[^>]+>/g, ' ')
  }
  expect(await line(ann, 'offered-cheap')).toContain('$2.00 / $4.00')
  expect(await line(bea, 'offered-cheap')).toContain('$4.00 / $8.00')
  expect(await line(bea, 'offered-by-call')).toContain('$0.04 per call')
})
