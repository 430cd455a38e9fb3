// @engine sqlite
/** Types with sockets, jobs, uploads, gathered streams and frames of their own: the bill does not depend on when clients leave. */
import { expect, test } from 'bun:test'
import { leaveAtMoments, priceChats, rowsOf } from '../../support/people/leaving-crowd.ts'
import { recordedChats } from '../../support/upstream/recorded-chats.ts'

/** At least one for each step of the shortest answers. */
const CALLS = 6
const names = ['bedrock', 'coze', 'dify', 'replicate', 'spark']
const providers = (await recordedChats()).filter(({ name }) => names.includes(name))
await priceChats(providers)

test.each(rowsOf(providers, ['openai-chat']))(
  '%s for %s, %s: six moments of leaving cost what is reported',
  async (_name, _format, _how, row) => {
    const { charged, cost } = await leaveAtMoments(row, CALLS)
    expect(charged).toBe(cost)
  },
)
