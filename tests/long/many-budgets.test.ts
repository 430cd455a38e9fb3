/** 10,000 budgets over 200 owners: what calls cost beside them, with three of their own and with fifty. */
import { afterAll, expect, test } from 'bun:test'
import { newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { addMembers, type Member, sendWell } from '../support/people/member.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const [BUDGETS, OWNERS, PER_OWNER] = [10_000, 200, 50]
const [CALLS, AT_ONCE, WARM_UP] = [400, 8, 50]
const RICH = 1_000_000_000

const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
upstream.scripts(MODEL, chat())
const place = await newInstallation()
const first = await startAt(place)
await setUpAt(first)
const root = await signInAt(first)
const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
await sendWell(first.url, root, '/api/channel/', { body: channel })

async function caller(name: string) {
  const [member] = (await addMembers(place, name, 1)) as [Member]
  await sendWell(first.url, root, '/api/topup', { body: { user_id: member.id, quota: RICH, remark: '' } })
  const { data } = await sendWell(first.url, member, '/api/token/', { body: { name, unlimited_quota: true } })
  return { member, key: data.key as string }
}
const [none, three, fifty] = [await caller('none'), await caller('three'), await caller('fifty')]
const limited = { owner: 'user', unit: 'quota', amount: RICH, name: 'many' }
for (const window of ['day', 'month', 'all'])
  await sendWell(first.url, root, '/api/budget/', { body: { ...limited, owner_id: three.member.id, window } })
await addMembers(place, 'owner', OWNERS)
const columns = 'owner, owner_id, name, models, unit, amount, "window", seconds, anchor, zone, refuses, created_time'

/** Past the program, as an installation of years has them. */
async function fill(where: string) {
  const numbers = Array.from({ length: PER_OWNER }, (_, index) => `(${index})`).join()
  await place.change(`insert into budgets (${columns})
    select 'user', users.id, 'budget ' || column1, '[]', 'calls', 1000000 + column1, 'day', 0, 0, 'UTC', true, 1
    from users cross join (values ${numbers}) as numbers where ${where}`)
}

async function callOnce(url: string, key: string) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 }),
  })
  await response.text()
  return response.status
}

/** Milliseconds of processor and of waiting for a call, at a server of its own. */
async function measured(key: string) {
  const server = await startAt(place)
  const work = async (count: number) => {
    const waits_ms: number[] = []
    let left = count
    const worker = async () => {
      while (left-- > 0) {
        const begun = performance.now()
        expect(await callOnce(server.url, key)).toBe(200)
        waits_ms.push(performance.now() - begun)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return waits_ms.sort((one, other) => one - other)
  }
  await work(WARM_UP)
  const before_ms = await processor_ms(server.process.pid)
  const waits_ms = await work(CALLS)
  const spent_ms = (await processor_ms(server.process.pid)) - before_ms
  await server.stop()
  return { processor_ms: spent_ms / CALLS, median_ms: waits_ms[CALLS / 2]! }
}

const MS_PER_TICK = 10

async function processor_ms(pid: number) {
  const fields = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

test(`${BUDGETS} budgets cost the calls of others nothing, and fifty of one user hold each`, async () => {
  await first.stop()
  const alone = await measured(none.key)
  await fill("username like 'owner%'")
  await fill("username = 'fifty0'")
  const beside = await measured(none.key)
  const withThree = await measured(three.key)
  const withFifty = await measured(fifty.key)
  const shown = Object.entries({ alone, beside, withThree, withFifty }).map(
    ([name, { processor_ms, median_ms }]) => `${name} ${processor_ms.toFixed(2)} ms, median ${median_ms.toFixed(1)} ms`,
  )
  process.stdout.write(`processor of a call: ${shown.join('; ')}\n`)
  expect(beside.processor_ms).toBeLessThan(alone.processor_ms * 1.5)
  expect(withThree.processor_ms).toBeLessThan(alone.processor_ms * 2)
  expect(withFifty.processor_ms).toBeLessThan(alone.processor_ms * 10)
  const [sum] = (await place.read(`select count(*) as count, min(used) as least, max(used) as most from budget_windows
    join budgets on budgets.id = budget_id where owner_id = ${fifty.member.id}`)) as Record<string, unknown>[]
  expect([Number(sum!.count), Number(sum!.least), Number(sum!.most)]).toEqual([
    PER_OWNER,
    CALLS + WARM_UP,
    CALLS + WARM_UP,
  ])
  await checkInvariants(place)
})
