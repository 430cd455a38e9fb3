/** By which API a channel's type asks for tasks of a platform: every type and platform. */
import { expect, test } from 'bun:test'
import { TASK_PLATFORMS } from '../../src/contracts/task-list.ts'
import { tasksApiOf } from '../../src/domain/routing/index.ts'
import { providers } from '../../src/providers/index.ts'

test.each(providers)('task APIs of type $type are those of the platform alone', ({ type, apis }) => {
  const own = Object.values(apis ?? {}).flatMap(api => (api.task ? [api.task.platform] : []))
  for (const platform of TASK_PLATFORMS) {
    const found = tasksApiOf({ type }, platform)?.task.platform
    expect([platform, found]).toEqual([platform, own.includes(platform) ? platform : undefined])
  }
  expect(tasksApiOf({ type })?.task.platform).toBe(own[0]!)
})
