/** Conversations stay with the channel and the key whose maker has kept what they have read. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import type { Script } from '../support/upstream/openai.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const CONVERSATIONS = 40
/** Moonshot, whose API has no Responses. */
const CHAT_ONLY = 25
/** Longer than 1,024 tokens. */
const RULES = 'Answer briefly, name your sources, and never invent a number. '.repeat(150)

let ann: Client

beforeEach(async () => {
  holdClock(true)
  await setOption('RetryTimes', 3)
  await setOption('ChannelAffinity', true)
  await setOption('ChannelAffinitySample', 0)
  await deleteChannels()
  ann = await client()
})
afterEach(() => holdClock(false))

type Fleet = Awaited<ReturnType<typeof served>>[]

const fleetOf = (weights: number[], fields: Record<string, unknown> = {}): Promise<Fleet> =>
  Promise.all(weights.map(weight => served(chat(), { weight, ...fields })))

/** Which channel answers, by its place in the fleet. */
async function servedBy(fleet: Fleet, call: () => Promise<Response>): Promise<number> {
  const before = fleet.map(({ calls }) => calls())
  expect((await call()).status).toBe(200)
  return fleet.findIndex(({ calls }, index) => calls() > before[index]!)
}

const QUESTION = (turn: number, name: string | number) => `Question ${turn} of conversation ${name}`

/** Messages of a conversation after some turns: user, assistant, user and so on. */
const messages = (name: string | number, turns: number) =>
  Array.from({ length: turns * 2 - 1 }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: at % 2 ? `Answer ${at}` : QUESTION(at, name),
  }))

const asked: Record<ClientFormatName, (name: string | number, turns: number) => [path: string, body: object]> = {
  'openai-chat': (name, turns) => [
    '/v1/chat/completions',
    { model: MODEL, messages: [{ role: 'system', content: RULES }, ...messages(name, turns)] },
  ],
  'openai-responses': (name, turns) => [
    '/v1/responses',
    { model: MODEL, instructions: RULES, input: messages(name, turns), store: false },
  ],
  anthropic: (name, turns) => {
    const sent = messages(name, turns).map(({ role, content }) => ({
      role,
      content: [{ type: 'text', text: content }],
    }))
    // The mark moves with the end of the conversation.
    Object.assign(sent.at(-1)!.content[0]!, { cache_control: { type: 'ephemeral' } })
    return ['/v1/messages', { model: MODEL, max_tokens: 100, system: RULES, messages: sent }]
  },
  gemini: (name, turns) => [
    `/v1beta/models/${MODEL}:generateContent`,
    {
      systemInstruction: { parts: [{ text: RULES }] },
      contents: messages(name, turns).map(({ role, content }) => ({
        role: role === 'user' ? 'user' : 'model',
        parts: [{ text: content }],
      })),
    },
  ],
}

for (const [format, ask] of Object.entries(asked)) {
  test(`${format}: each turn of a conversation goes to one channel, conversations are shared by weight`, async () => {
    const fleet = await fleetOf([3, 1, 0], { type: CHAT_ONLY })
    const places: number[] = []
    for (let name = 0; name < CONVERSATIONS; name++) {
      const turns = await Array.fromAsync([1, 2, 3], turn => servedBy(fleet, () => ann.postTo(...ask(name, turn))))
      expect(new Set(turns).size).toBe(1)
      places.push(turns[0]!)
    }
    const first = places.filter(place => place === 0).length
    expect(places).not.toContain(2)
    expect(first).toBeWithin(20, 39)
  })
}

const named: Record<string, (name: string) => [fields: object, headers: Record<string, string>]> = {
  prompt_cache_key: name => [{ prompt_cache_key: name }, {}],
  'metadata.user_id': name => [{ metadata: { user_id: name } }, {}],
  session_id: name => [{}, { session_id: name }],
  conversation_id: name => [{}, { conversation_id: name }],
  'x-opencode-session': name => [{}, { 'x-opencode-session': name }],
  'x-session-id': name => [{}, { 'x-session-id': name }],
}

for (const [way, tell] of Object.entries(named)) {
  test(`a conversation named by ${way} stays on its channel, and is another of another user`, async () => {
    const fleet = await fleetOf([1, 1])
    const bob = await client()
    const placesOf = async (caller: Client, turn: number) => {
      const places: number[] = []
      for (let name = 0; name < 16; name++) {
        const [fields, headers] = tell(`conversation ${name}`)
        const text = { messages: [{ role: 'user', content: `turn ${turn}` }] }
        places.push(await servedBy(fleet, () => caller.chat({ ...text, ...fields }, { headers })))
      }
      return places
    }
    const first = await placesOf(ann, 1)
    expect(await placesOf(ann, 2)).toEqual(first)
    expect(new Set(first).size).toBe(2)
    expect(await placesOf(bob, 1)).not.toEqual(first)
  })
}

test('a conversation moves alone when its channel cools down, and comes back', async () => {
  const fleet = await fleetOf([1, 1, 1])
  const places = async () => {
    const found: number[] = []
    for (let name = 0; name < 12; name++)
      found.push(await servedBy(fleet, () => ann.postTo(...asked['openai-chat'](name, 2))))
    return found
  }
  const before = await places()
  const lost = before[0]!
  fleet[lost]!.scripts(refuses(429, { 'retry-after': '45' }))
  expect((await ann.postTo(...asked['openai-chat'](0, 3))).status).toBe(200)
  const meanwhile = await places()
  for (const [name, place] of before.entries())
    if (place === lost) expect(meanwhile[name]).not.toBe(lost)
    else expect(meanwhile[name]).toBe(place)
  fleet[lost]!.scripts(chat())
  shiftClock(46)
  expect(await places()).toEqual(before)
})

test('a channel of higher priority takes the conversations over', async () => {
  const fleet = await fleetOf([1, 1])
  const ask = () => ann.postTo(...asked['openai-chat']('one', 2))
  expect(await servedBy(fleet, ask)).toBeWithin(0, 2)
  const higher = await served(chat(), { priority: 5 })
  expect(await servedBy([...fleet, higher], ask)).toBe(2)
})

test('a conversation stays with one key of a channel, and conversations are shared among its keys', async () => {
  const keys = ['sk-number-one', 'sk-number-two', 'sk-number-three']
  const { upstream } = await served(chat(), { key: keys.join('\n') })
  for (const key of keys) upstream.keys.add(key)
  const used = new Set<string>()
  for (let name = 0; name < CONVERSATIONS; name++) {
    const from = upstream.journal.length
    for (const turns of [1, 2, 3]) expect((await ann.postTo(...asked['openai-chat'](name, turns))).status).toBe(200)
    const ofConversation = new Set(upstream.journal.slice(from).map(({ headers }) => headers.authorization!))
    expect(ofConversation.size).toBe(1)
    for (const key of ofConversation) used.add(key)
  }
  expect(used.size).toBe(keys.length)
})

test('short prompts without a name, and all with the option off, are shared by weight call by call', async () => {
  const fleet = await fleetOf([1, 1])
  const places = async (ask: () => Promise<Response>) => {
    const found = new Set<number>()
    for (let call = 0; call < 30; call++) found.add(await servedBy(fleet, ask))
    return found.size
  }
  expect(await places(() => ann.chat())).toBe(2)
  await setOption('ChannelAffinity', false)
  expect(await places(() => ann.postTo(...asked['openai-chat']('one', 2)))).toBe(2)
  expect(await places(() => ann.chat({ prompt_cache_key: 'one' }))).toBe(2)
})

const PROMPT_TOKENS = 4000
const KEPT_SECONDS = 90

/** A maker that keeps the prompt of each conversation for 90 s. */
function keeping(): { script: Script; sums: { prompt: number; cached: number } } {
  const until = new Map<string, number>()
  const sums = { prompt: 0, cached: 0 }
  const script: Script = (call, answer) => {
    const beginning = JSON.stringify((call.body.messages as unknown[]).slice(0, 2))
    const cached_tokens = (until.get(beginning) ?? 0) > now() ? PROMPT_TOKENS : 0
    until.set(beginning, now() + KEPT_SECONDS)
    sums.prompt += PROMPT_TOKENS
    sums.cached += cached_tokens
    const details = { prompt_tokens_details: { cached_tokens } }
    return chat({ usage: { prompt_tokens: PROMPT_TOKENS, completion_tokens: 5, ...details } })(call, answer)
  }
  return { script, sums }
}

test('95 % of what conversations of 30 turns repeat comes from the caches of four channels, and 35 % without', async () => {
  const makers = [0, 1, 2, 3].map(keeping)
  for (const { script } of makers) await served(script)
  const total = (sum: 'prompt' | 'cached') => makers.reduce((all, { sums }) => all + sums[sum], 0)
  const hitRate = async (prefix: string) => {
    const before = { prompt: total('prompt'), cached: total('cached') }
    for (let turn = 1; turn <= 30; turn++) {
      for (let name = 0; name < 8; name++)
        expect((await ann.postTo(...asked['openai-chat'](`${prefix} ${name}`, turn))).status).toBe(200)
      shiftClock(60)
    }
    return (total('cached') - before.cached) / (total('prompt') - before.prompt)
  }
  expect(await hitRate('kept')).toBeGreaterThanOrEqual(0.95)
  await setOption('ChannelAffinity', false)
  expect(await hitRate('shared')).toBeLessThanOrEqual(0.35)
})
