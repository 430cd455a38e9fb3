/** Names of providers and makers in the reader's language. */
import { beforeAll, expect, test } from 'bun:test'
import { type Person, setUp } from '../support/people/person.ts'
import { makeChannel } from '../support/upstream/channel.ts'

let root: Person

beforeAll(async () => {
  root = await setUp()
  await makeChannel(root, { name: 'wise', type: 26, models: 'glm-4-plus,qwen-max' })
})

const html = async (path: string, language: 'en' | 'zh') => (await root.page(path, { language })).text()

test('list, drawer and CSV name the provider of a channel in the language of the reader', async () => {
  for (const [language, name, custom] of [
    ['en', 'Zhipu GLM-4V', 'Custom'],
    ['zh', '智谱 GLM-4V', '自定义'],
  ] as const) {
    expect([language, (await html('/admin/channels', language)).includes(name)]).toEqual([language, true])
    expect(await html('/admin/channels/export.csv', language)).toContain(`wise,${name},`)
    expect(await html('/admin/channels?new', language)).toMatch(new RegExp(`<option [^>]*>${custom}</option>`))
  }
})

test('the price page names makers in the language of the reader, and finds them by either name', async () => {
  expect(await html('/pricing', 'zh')).toMatch(/<option value="Zhipu"[^>]*>智谱</)
  expect(await html('/pricing', 'en')).toMatch(/<option value="Zhipu"[^>]*>Zhipu</)
  for (const language of ['en', 'zh'] as const)
    for (const keyword of ['阿里', 'alibaba']) {
      const found = await html(`/pricing?${new URLSearchParams({ keyword })}`, language)
      expect([language, keyword, found.includes('qwen-max'), found.includes('glm-4-plus')]).toEqual([
        ...[language, keyword, true, false],
      ])
    }
})
