/** A site on a real server that sells quota: members with balance and earnings, codes, a gateway, an upstream. */
import { afterAll } from 'bun:test'
import { dialect } from '../../../src/db/dialect.ts'
import { newInstallation, setUpAt, signInAt, startAt } from '../app/installation.ts'
import { OVERDUE } from '../cluster/overdue.ts'
import { openShopAt, UNIT } from '../epay/remote-shop.ts'
import { addMembers, type Member, sendWell } from '../people/member.ts'
import { chat } from '../upstream/chat-scripts.ts'
import { fakeUpstream } from '../upstream/openai.ts'

export const MODEL = 'gpt-4o-mini'
/** Quota. */
export const RICH = 1_000_000_000
export const CHECK_IN = 700
const EARNED = 10_000 * UNIT
const REBATE_PERCENT = 10
export const REBATE = (UNIT * REBATE_PERCENT) / 100

export const place = await newInstallation()
/** The process that runs now. */
export const running = { server: await startAt(place) }
export const urlNow = () => running.server.url

const url = urlNow()
await setUpAt(running.server)
export const root = await signInAt(running.server)
export const shop = await openShopAt(url, root)

/** The number in a question is what its answer has used. */
const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
/** Numbers of the answers that the upstream has sent to their end. */
export const sent = new Set<number>()
upstream.scripts(MODEL, async (call, answer) => {
  const id = Number((call.body.messages as { content: string }[])[0]!.content)
  const usage = { prompt_tokens: id, completion_tokens: 1, total_tokens: id + 1 }
  await chat({ usage, pause_ms: id % 3 })(call, answer)
  if (!answer.gone) sent.add(id)
})
/** At ratios of 1. */
export const costOf = (id: number) => id + 1

const options = {
  ModelRatio: JSON.stringify({ [MODEL]: 1 }),
  CompletionRatio: JSON.stringify({ [MODEL]: 1 }),
  CheckInEnabled: true,
  CheckInQuota: CHECK_IN,
  RebateEnabled: true,
  RebatePercentage: REBATE_PERCENT,
}
for (const [key, value] of Object.entries(options))
  await sendWell(url, root, '/api/option/', { method: 'PUT', body: { key, value } })
const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
await sendWell(url, root, '/api/channel/', { body: channel })

/** The first has invited the others. */
export const members = await addMembers(place, 'member', 3, EARNED)
export const [inviter] = members as [Member]
await place.change(`update users set inviter_id = ${inviter.id} where id > ${inviter.id}`)
/** API keys of the members, in their order. */
export const apiKeys: string[] = []
for (const member of members) {
  await sendWell(url, root, '/api/user/', { method: 'PUT', body: { id: member.id, quota_delta: RICH } })
  const { data } = await sendWell(url, member, '/api/token/', { body: { name: 'key', unlimited_quota: true } })
  apiKeys.push(data.key)
}

/** Kills the process and starts another, which frees what the first had reserved once its lease is over. */
export async function crash(meanwhile: () => Promise<unknown> = async () => {}) {
  await running.server.stop('SIGKILL')
  await meanwhile()
  if (dialect === 'postgres') await place.change(OVERDUE)
  running.server = await startAt(place)
}
