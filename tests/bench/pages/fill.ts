/** Adds a thousand channels, ten thousand users and a chat to the database of the environment. */
import { sql } from 'drizzle-orm'
import { SYSTEM } from '../../../src/contracts/actor.ts'
import { NewChannel } from '../../../src/contracts/channel.ts'
import { atomic, rawQuery, run } from '../../../src/db/atomic.ts'
import { closeDatabase, openDatabase } from '../../../src/db/database.ts'
import { createChannel } from '../../../src/domain/channels/index.ts'
import { setOptionAsSystem } from '../../../src/domain/options/index.ts'
import { MODELS, modelName } from '../../support/people/many-calls.ts'
import { recordLoggedCalls } from '../call-records.ts'

const CHANNELS = 1000
const USERS = 10_000
const TAGS = 50
const GROUPS = ['default', 'vip', 'svip']
const MODELS_PER_CHANNEL = 20
/** After those of the log. */
const FIRST_USER = 50_000

/** Those of the log, for public pages. */
const loggedModels = Array.from({ length: MODELS }, (_, number) => modelName(number))

await openDatabase()
for (let number = 0; number < CHANNELS; number++) await createChannel(NewChannel.parse(channel(number)), SYSTEM)
await createChannel(NewChannel.parse({ ...channel(CHANNELS), models: loggedModels.join() }), SYSTEM)
const users = sql`with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${USERS})
  insert into users (id, username, "group", created_time, setting)
  select ${FIRST_USER} + i, 'member-' || i, 'default', i, '' from n`
await atomic(tx => run(rawQuery(tx, users)))
await recordLoggedCalls()
await setOptionAsSystem('StatusPageEnabled', 'true')
await setOptionAsSystem('Chats', JSON.stringify([{ Chat: 'https://chat.example/?key={key}' }]))
await closeDatabase()

function channel(number: number) {
  const first = (number * 7) % MODELS
  const models = Array.from({ length: MODELS_PER_CHANNEL }, (_, index) => `chat-model-${(first + index) % MODELS}`)
  return {
    name: `upstream-${number}`,
    type: 1,
    key: `sk-bench-${number}`,
    base_url: 'https://upstream.example',
    models: models.join(),
    group: GROUPS.slice(0, 1 + (number % GROUPS.length)).join(),
    tag: number % 3 ? `tag-${number % TAGS}` : '',
    priority: number % 10,
    weight: number % 100,
  }
}
