// @engine both
/** What /metrics says of tasks. */
import { expect, test } from 'bun:test'
import { grownSince, readMetrics } from '../../support/app/metrics.ts'
import { client } from '../../support/people/client.ts'
import { MUSIC_QUOTA, music } from '../../support/people/tasks.ts'
import { sunoUpstream } from '../../support/upstream/suno.ts'
import { sunoChannel } from '../../support/upstream/suno-channel.ts'

const singer = await sunoUpstream()
const { id } = await sunoChannel(singer)

test('an accepted task counts as a call with its quota, and is unfinished', async () => {
  const bob = await client()
  const before = await readMetrics()
  expect((await bob.postTo('/suno/submit/music', music)).status).toBe(200)
  const labels = `operation="music",provider="Suno",channel="${id}",model="suno_music",status="200",streamed="false"`
  const grown = grownSince(before, await readMetrics())
  expect(grown).toMatchObject({
    [`tollgate_requests_total{${labels}}`]: 1,
    [`tollgate_attempts_total{channel="${id}",outcome="answered"}`]: 1,
    'tollgate_quota_total{group="default",kind="tasks"}': MUSIC_QUOTA,
  })
  const tasks = Object.entries(grown).filter(([key]) => key.startsWith('tollgate_tasks{platform="suno"'))
  expect(tasks.map(([, value]) => value)).toEqual([1])
})

test('a task that is refused counts its status once', async () => {
  singer.scripts.submit = answer => answer.json({ code: 'invalid_request', message: 'banned', data: null }, 400)
  const bob = await client()
  const before = await readMetrics()
  expect((await bob.postTo('/suno/submit/music', music)).status).toBe(400)
  const grown = Object.entries(grownSince(before, await readMetrics()))
  const requests = grown.filter(([key]) => key.startsWith('tollgate_requests_total{operation="music"'))
  expect(requests.map(([key, value]) => [/status="(\d+)"/.exec(key)?.[1], value])).toEqual([['400', 1]])
})
