// @engine both
/** What affinity saves, beside a sample of conversations without it: API, dashboard and usage log. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { DASHBOARD_PATH } from '../../src/contracts/dashboard.ts'
import { LOGS_PATH } from '../../src/contracts/log.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client } from '../support/people/client.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import type { Script } from '../support/upstream/openai.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const CONVERSATIONS = 24
const TURNS = 8
const PROMPT_TOKENS = 4000
const KEPT_SECONDS = 90
const HOUR = 3600
const DAY = 24 * HOUR
const NOON = 12 * HOUR
const QUOTA_PER_USD = 500_000
/** Quota per token of gpt-4o, and what its maker charges of it for tokens from the cache. */
const QUOTA_PER_TOKEN = 1.25
const CACHED_RATIO = 0.5

let root: Person
let ann: Client
let start_timestamp: number

beforeEach(async () => {
  holdClock(true)
  // A day of its own, far from its ends: the page shows today.
  shiftClock(DAY - (now() % DAY) + NOON)
  start_timestamp = now() - (now() % HOUR)
  await setOption('ChannelAffinity', true)
  await deleteChannels()
  ann = await client()
  root = await visitor(Role.root)
})
afterEach(() => holdClock(false))

/** Of one conversation, as its makers have it. */
interface Account {
  prompt: number
  cached: number
}

/** Four makers that keep the prompt of each conversation for 90 s, and one account of what they have charged. */
async function makers(): Promise<Map<string, Account>> {
  const accounts = new Map<string, Account>()
  for (let maker = 0; maker < 4; maker++) {
    const until = new Map<string, number>()
    const script: Script = (call, answer) => {
      const name = String(call.body.prompt_cache_key)
      const cached_tokens = (until.get(name) ?? 0) > now() ? PROMPT_TOKENS : 0
      until.set(name, now() + KEPT_SECONDS)
      const account = accounts.get(name) ?? { prompt: 0, cached: 0 }
      account.prompt += PROMPT_TOKENS
      account.cached += cached_tokens
      accounts.set(name, account)
      const usage = { prompt_tokens: PROMPT_TOKENS, completion_tokens: 5, prompt_tokens_details: { cached_tokens } }
      return chat({ usage })(call, answer)
    }
    await served(script)
  }
  return accounts
}

async function converse() {
  for (let turn = 1; turn <= TURNS; turn++) {
    for (let name = 0; name < CONVERSATIONS; name++)
      expect((await ann.chat({ prompt_cache_key: `conversation ${name}` })).status).toBe(200)
    shiftClock(60)
  }
  await flushBuffers()
}

/** Entries of the last turn, by conversation. */
async function lastTurn(): Promise<{ id: number; other: string }[]> {
  const { data } = await root.get(`/api/log/?p=1&page_size=100&type=2&username=${ann.person.username}`)
  const entries: { id: number; other: string }[] = data.items
  return entries.sort((one, other) => one.id - other.id).slice(-CONVERSATIONS)
}

/** Kinds of the conversations, as the usage log tells them, by name. */
const kinds = async (): Promise<string[]> =>
  (await lastTurn()).map(({ other }) => JSON.parse(other).admin_info.affinity)

/** A conversation that any sample has. */
function firstOfSample({ person }: Client): string {
  for (let at = 0; ; at++) if (Bun.hash.xxHash32(`${person.id} sampled ${at}`) % 100 === 0) return `sampled ${at}`
}

const figures = async () => (await root.get(`/api/data/affinity?start_timestamp=${start_timestamp}`)).data

test('a sample of the conversations is shared: API and dashboard show what affinity saves of the makers’ charges', async () => {
  await setOption('ChannelAffinitySample', 50)
  const accounts = await makers()
  await converse()

  const kind = await kinds()
  const account = (name: string) => {
    const of = kind.flatMap((one, at) => (one === name ? [accounts.get(`conversation ${at}`)!] : []))
    const sum = (column: keyof Account) => of.reduce((total, one) => total + one[column], 0)
    return { calls: of.length * TURNS, prompt_tokens: sum('prompt'), cache_read_tokens: sum('cached') }
  }
  const [kept, sample] = [account('kept'), account('sample')]
  expect(kept.calls + sample.calls).toBe(CONVERSATIONS * TURNS)
  expect(kept.cache_read_tokens).toBe((kept.prompt_tokens * (TURNS - 1)) / TURNS)
  expect(sample.cache_read_tokens).toBeLessThan(sample.prompt_tokens / 2)
  const more = kept.cache_read_tokens - kept.prompt_tokens * (sample.cache_read_tokens / sample.prompt_tokens)
  const saved = Math.round(more * QUOTA_PER_TOKEN * (1 - CACHED_RATIO))
  expect(await figures()).toEqual({ kept, sample, saved })

  const page = await (await root.page(`${DASHBOARD_PATH}?range=today&of=all`)).text()
  expect(page).toContain('Cache hits')
  expect(page).toContain('Saved by affinity')
  const own = await (await ann.person.page(`${DASHBOARD_PATH}?range=today`)).text()
  expect(own).not.toContain('Cache hits')
  expect((await ann.person.get('/api/data/affinity')).status).toBe(403)
})

test('without a sample all conversations are kept, and nothing is compared', async () => {
  await setOption('ChannelAffinitySample', 0)
  await makers()
  expect((await ann.chat({ prompt_cache_key: firstOfSample(ann) })).status).toBe(200)
  await converse()
  expect(new Set(await kinds())).toEqual(new Set(['kept']))
  const { id } = (await lastTurn()).at(-1)!
  const opened = (reader: Person) => reader.page(`${LOGS_PATH}?open=${id}`).then(response => response.text())
  const saved_usd = `$${((PROMPT_TOKENS * QUOTA_PER_TOKEN * (1 - CACHED_RATIO)) / QUOTA_PER_USD).toFixed(6)}`
  expect(await opened(root)).toContain(`${saved_usd} saved · conversation kept on its channel`)
  expect(await opened(ann.person)).toContain(`${saved_usd} saved</dd>`)
  const { saved, sample } = await figures()
  expect({ saved, sample }).toEqual({
    saved: undefined,
    sample: { calls: 0, prompt_tokens: 0, cache_read_tokens: 0 },
  })
})
