/** Enter in a field presses the first submit button of its form: that one saves, and does nothing else. */
import { beforeAll, expect, test } from 'bun:test'
import { setUp, visitor } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const root = await setUp()
const overlays: string[] = []

beforeAll(async () => {
  const { id: channel } = await makeChannel(root, { base_url: 'http://127.0.0.1:1' })
  const { id: user } = await visitor()
  const { data: token } = await root.post('/api/token/', { name: 'laptop', unlimited_quota: true })
  overlays.push(
    ...['new', `edit=${channel}`, `set_tag=${channel}`, `edit_tag=none`].map(query => `/admin/channels?${query}`),
    ...['new', `edit=${user}`, `quota=${user}`, `add_quota=${user}`, `regroup=${user}`].map(
      query => `/admin/users?${query}`,
    ),
    ...['new', `edit=${[token].flat()[0].id}`].map(query => `/app/tokens?${query}`),
    ...['/admin/coupons?new', '/admin/messages?new'],
    ...['gpt-4o', 'suno_music'].map(model => `/admin/settings?tab=operation&edit=${model}`),
  )
})

const button = /<button type="submit"[^>]*>/g
const textField = /<textarea|<input(?![^>]*type="(?:hidden|checkbox|radio|file)")/

/** The first submit button of each form with a text field, which may stand behind the form. */
function firstButtons(html: string): string[] {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].flatMap(([, attributes = '', inside = '']) => {
    if (!textField.test(inside)) return []
    const id = /\bid="([^"]+)"/.exec(attributes)?.[1]
    const behind = [...html.matchAll(button)].map(([tag]) => tag).filter(tag => id && tag.includes(`form="${id}"`))
    const [first] = [...[...inside.matchAll(button)].map(([tag]) => tag).filter(tag => !/ form="/.test(tag)), ...behind]
    return first ? [first] : []
  })
}

test('the button that Enter presses in a drawer or dialog has no action of its own', async () => {
  const seen: string[] = []
  for (const path of overlays) {
    for (const first of firstButtons(await (await root.page(path)).text())) {
      seen.push(path)
      expect([path, first, / name="/.test(first)]).toEqual([path, first, false])
    }
  }
  expect(new Set(seen).size).toBeGreaterThan(8)
})
