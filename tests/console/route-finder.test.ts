/** The route finder agrees with the calls: the same order, the same channels, and a reason for each of the others. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { detailsOf, LogType } from '../../src/contracts/log.ts'
import type { PricedRoutePreview } from '../../src/contracts/route-preview.ts'
import { flushOutcomes } from '../../src/domain/routing/health/hourly-outcomes.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { says } from '../support/upstream/endpoint-scripts.ts'
import { channelTo, deleteChannels, served, startUpstream } from '../support/upstream/served-channel.ts'

let root: Person
let ann: Client

beforeAll(async () => {
  root = await setUp()
  ann = await client()
})

afterEach(deleteChannels)

const routeOf = async (model = MODEL, group = 'default', input_tokens = ''): Promise<PricedRoutePreview> =>
  (await root.get(`/api/channel/routes?${new URLSearchParams({ group, model, input_tokens })}`)).data

/** Ids tier by tier, the likeliest first. */
const idsIn = ({ tiers }: PricedRoutePreview) => tiers.map(({ steps }) => steps.map(({ id }) => id))

async function open(query: string, person = root, language: 'en' | 'zh' = 'en') {
  const response = await person.page(`/admin/routes${query}`, { language })
  const html = await response.text()
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  const text = main
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/\s+/g, ' ')
  return { status: response.status, html: main, text }
}

/** Channels of the attempts of the newest failed call. */
async function attemptsOfLatest(): Promise<number[]> {
  await flushBuffers()
  const { data } = await root.get(`/api/log/?type=${LogType.error}&page_size=1`)
  return detailsOf(data.items[0]).admin_info!.attempts!.map(({ channel }) => channel)
}

describe('the order', () => {
  test('calls whose channels fail in turn try them in the order that the finder shows', async () => {
    await setOption('RetryTimes', 5)
    const ids: number[] = []
    for (const priority of [3, 30, 1, 20]) ids.push((await served(refuses(500), { priority })).id)
    const order = idsIn(await routeOf()).flat()
    expect(order).toEqual([ids[1]!, ids[3]!, ids[0]!, ids[2]!])
    while (order.length) {
      expect((await ann.chat()).status).toBe(502)
      expect(await attemptsOfLatest()).toEqual(order)
      await root.put('/api/channel/', { id: order.shift(), status: ChannelStatus.disabled })
      expect(idsIn(await routeOf()).flat()).toEqual(order)
    }
  })

  test('channels of one priority share calls by weight, and weight 0 comes after the others', async () => {
    const [heavy, light, last] = [
      await served(chat(), { weight: 3 }),
      await served(chat(), { weight: 1 }),
      await served(chat(), { weight: 0 }),
    ]
    const { tiers } = await routeOf()
    expect(tiers.map(({ steps }) => steps.map(({ id, share }) => [id, share]))).toEqual([
      [
        [heavy.id, 0.75],
        [light.id, 0.25],
        [last.id, 0],
      ],
    ])
    for (let call = 0; call < 20; call++) expect((await ann.chat()).status).toBe(200)
    expect(last.calls()).toBe(0)
    await root.put('/api/channel/', { id: heavy.id, weight: 0 })
    await root.put('/api/channel/', { id: light.id, weight: 0 })
    expect((await routeOf()).tiers[0]!.steps.map(({ share }) => share)).toEqual([1 / 3, 1 / 3, 1 / 3])
  })

  test('the attempts of one call are those that the settings allow', async () => {
    await setOption('RetryTimes', 1)
    for (const priority of [3, 2, 1]) await served(refuses(500), { priority })
    const route = await routeOf()
    expect(route.attempts_max).toBe(2)
    await ann.chat()
    expect(await attemptsOfLatest()).toEqual(idsIn(route).flat().slice(0, 2))
  })

  test('the name that the upstream is asked for is the mapped one', async () => {
    const { upstream } = await served(chat(), { model_mapping: `{"${MODEL}":"mapped-name"}` }, 'mapped-name')
    const [[step]] = (await routeOf()).tiers.map(({ steps }) => steps) as [PricedRoutePreview['tiers'][0]['steps']]
    expect(step).toMatchObject({ upstream_model: 'mapped-name', format: 'openai-chat', keys: 1, good_keys: 1 })
    await ann.chat()
    expect(upstream.journal.at(-1)!.body.model).toBe('mapped-name')
  })
})

describe('the selection', () => {
  const prompts: [text: string, input_tokens: string][] = [
    ['Say hello', ''],
    ['hello '.repeat(300), '300'],
  ]

  test('each call goes to the first channel of the finder, whatever the channels are set to', async () => {
    const settings: Record<string, unknown>[] = [
      { group: 'vip' },
      { status: ChannelStatus.disabled },
      { max_input_tokens: 50 },
      { type: 38 },
      { models: 'else' },
      {},
      { max_input_tokens: 20 },
    ]
    const channels: Awaited<ReturnType<typeof served>>[] = []
    for (const [index, fields] of settings.entries()) {
      channels.push(await served(chat(), { priority: -index, ...fields }))
    }
    const firsts: (number | undefined)[][] = []
    for (let first: number | undefined = 0; first !== undefined; ) {
      const round: (number | undefined)[] = []
      for (const [content, input_tokens] of prompts) {
        const shown = idsIn(await routeOf(MODEL, 'default', input_tokens))[0]?.[0]
        const before = channels.map(({ calls }) => calls())
        const { status } = await ann.chat({ messages: [{ role: 'user', content }] })
        expect(status).toBe(shown === undefined ? 503 : 200)
        const called = channels.filter(({ calls }, index) => calls() > before[index]!)
        expect(called.map(({ id }) => id)).toEqual(shown === undefined ? [] : [shown])
        round.push(channels.findIndex(({ id }) => id === shown))
        first = round[0] === -1 ? undefined : channels[round[0]!]!.id
      }
      firsts.push(round)
      if (first !== undefined) await root.put('/api/channel/', { id: first, status: ChannelStatus.disabled })
    }
    expect(firsts).toEqual([
      [2, 5],
      [5, 5],
      [6, 6],
      [-1, -1],
    ])
  })

  test('a channel whose limit the prompt exceeds is named with it', async () => {
    const { id } = await served(chat(), { max_input_tokens: 50, priority: 5 })
    const large = await served(chat())
    const route = await routeOf(MODEL, 'default', '51')
    expect(idsIn(route)).toEqual([[large.id]])
    expect(route.others).toMatchObject([{ id, obstacles: [{ code: 'prompt_too_long', limit: 50 }] }])
    expect(idsIn(await routeOf(MODEL, 'default', '50'))).toEqual([[id], [large.id]])
    expect((await open(`?model=${MODEL}&input_tokens=51`)).text).toContain('takes prompts up to 50 tokens only')
    const text = await root.get(`/api/channel/routes?model=${MODEL}&input_tokens=many`)
    expect(text).toMatchObject({ status: 400, code: 'route.input_tokens_number', field: 'input_tokens' })
    expect(await open(`?model=${MODEL}&input_tokens=many`)).toMatchObject({
      status: 422,
      text: expect.stringContaining('Enter the input tokens as a whole number'),
    })
  })

  test.each(['bce-v3/ALTAK-own/own,own|secret', 'own|secret,bce-v3/ALTAK-own/own'])(
    'a channel whose only key for the operation cools down is not tried with another key: %s',
    async key => {
      await setOption('AutomaticDisableChannelEnabled', false)
      const model = 'jina-reranker-v2'
      await setOption('ModelPrice', JSON.stringify({ [model]: 0.001 }))
      const refusing = await startUpstream()
      // Of the keys of Baidu, those with two parts reach an older API without rerank.
      const { id } = await channelTo(refusing, { type: 15, key, models: model, priority: 5 })
      const other = await served(says({ results: [] }), { models: model }, model)
      const call = () => ann.postTo('/v1/rerank', { model, query: 'one', documents: ['two'] })
      expect(idsIn(await routeOf(model))).toEqual([[id], [other.id]])
      expect((await call()).status).toBe(200)
      expect(refusing.journal).toHaveLength(1)
      const route = await routeOf(model)
      expect(idsIn(route)).toEqual([[other.id]])
      expect(route.others).toMatchObject([{ id, obstacles: [{ code: 'cooling' }] }])
      expect((await call()).status).toBe(200)
      expect([refusing.journal.length, other.calls()]).toEqual([1, 2])
    },
  )
})

describe('the others', () => {
  const obstaclesOf = async (id: number, model = MODEL, group = 'default') =>
    (await routeOf(model, group)).others.find(other => other.id === id)!.obstacles

  test('each channel that is not tried has its reasons', async () => {
    const off = await makeChannel(root, { models: MODEL, status: ChannelStatus.disabled })
    const other = await makeChannel(root, { models: MODEL, group: 'vip' })
    const without = await makeChannel(root, { models: 'else' })
    const neither = await makeChannel(root, { models: 'else', group: 'vip', status: ChannelStatus.disabled })
    const rerank = await makeChannel(root, { models: MODEL, type: 38 })
    expect(await obstaclesOf(off.id)).toEqual([{ code: 'disabled' }])
    expect(await obstaclesOf(other.id)).toEqual([{ code: 'not_in_group' }])
    expect(await obstaclesOf(without.id)).toEqual([{ code: 'not_listed' }])
    expect(await obstaclesOf(neither.id)).toEqual([
      { code: 'disabled' },
      { code: 'not_in_group' },
      { code: 'not_listed' },
    ])
    expect((await ann.chat()).status).toBe(503)
    expect(await obstaclesOf(rerank.id)).toEqual([{ code: 'no_api' }])
    expect((await routeOf()).tiers).toEqual([])
  })

  test('a channel that cools down is named with its reason, and as the trial of the next call', async () => {
    const { id, name, scripts } = await served(refuses(500))
    for (let call = 0; call < 5; call++) await ann.chat()
    const route = await routeOf()
    expect(route.tiers).toEqual([])
    expect(route.trial).toBe(id)
    const [cooling] = route.others[0]!.obstacles
    expect(cooling).toMatchObject({ code: 'cooling' })
    expect(cooling!.seconds).toBeGreaterThan(0)
    const { text } = await open(`?model=${MODEL}`)
    expect(text).toContain(`All channels are cooling down. The next call tries ${name} once.`)
    scripts(chat())
    expect((await ann.chat()).status).toBe(200)
    expect(idsIn(await routeOf())).toEqual([[id]])
  })

  test('no channel is the trial while another one is open', async () => {
    await served(refuses(500), { priority: 5 })
    const other = await served(chat())
    for (let call = 0; call < 5; call++) await ann.chat()
    const route = await routeOf()
    expect(idsIn(route)).toEqual([[other.id]])
    expect(route.trial).toBeUndefined()
  })

  test('an automatic disabling shows the words of the upstream', async () => {
    await setOption('AutomaticDisableChannelEnabled', true)
    const { id } = await served(refuses(401))
    await ann.chat()
    await flushOutcomes()
    const [closed] = await obstaclesOf(id)
    expect(closed).toMatchObject({ code: 'auto_disabled' })
    expect(closed!.reason).toContain('Incorrect API key')
    expect((await open(`?model=${MODEL}`)).text).toContain('disabled automatically:')
  })
})
