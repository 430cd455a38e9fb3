/** Progress of a new installation towards its first call. */
import type { SessionUser } from '../contracts/account.ts'
import { LogType } from '../contracts/log.ts'
import { pageOfChannels } from '../domain/channels/index.ts'
import { findPage, scopeToAll } from '../domain/logs/index.ts'
import { listTokens } from '../domain/tokens/index.ts'
import { ownView } from '../domain/users/index.ts'
import { commaList } from '../pure/lists.ts'

const NEWEST = { page: 1, size: 1, offset: 0 }

export async function firstStepsOf(admin: SessionUser) {
  const { channels } = await pageOfChannels({})
  const { request_count } = await ownView(admin.id)
  const tested = channels.find(channel => channel.response_time > 0)
  const channel = tested ?? channels[0]
  const [token] = (await listTokens(admin.id, NEWEST)).items
  const called = request_count > 0 || channels.some(({ used_quota }) => used_quota > 0)
  return {
    channel: channel && {
      id: channel.id,
      name: channel.name,
      model: channel.test_model || commaList(channel.models)[0],
    },
    tested_ms: tested?.response_time,
    token: token && { id: token.id, name: token.name, key: token.key },
    called,
    /** Log entry of the administrator's first call; undefined after the second, and where consumption is not logged. */
    first_entry: called && request_count <= 1 ? await newestEntry() : undefined,
  }
}

async function newestEntry(): Promise<number | undefined> {
  const { rows } = await findPage(await scopeToAll({ type: LogType.consume }), NEWEST)
  return rows[0]?.id
}
