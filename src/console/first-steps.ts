/** Progress of a new installation towards its first call. */
import type { SessionUser } from '../contracts/account.ts'
import { pageOfChannels } from '../domain/channels/index.ts'
import { listTokens } from '../domain/tokens/index.ts'
import { ownView } from '../domain/users/index.ts'
import { commaList } from '../pure/lists.ts'

const FIRST_PAGE = { page: 1, size: 1, offset: 0 }

export async function firstStepsOf(admin: SessionUser) {
  const { channels } = await pageOfChannels({})
  const { request_count } = await ownView(admin.id)
  const tested = channels.find(channel => channel.response_time > 0)
  const channel = tested ?? channels[0]
  const [token] = (await listTokens(admin.id, FIRST_PAGE)).items
  return {
    channel: channel && { name: channel.name, model: channel.test_model || commaList(channel.models)[0] },
    tested_ms: tested?.response_time,
    token: token && { name: token.name, key: token.key },
    called: request_count > 0 || channels.some(({ used_quota }) => used_quota > 0),
  }
}
