/** Messages of settings, channels, codes, wallet and chat, where their conditions occur, in both languages. */
import { expect, test } from 'bun:test'
import { type MessageKey, translate } from '../../src/locales/index.ts'
import { languageCodes } from '../../src/locales/languages.ts'
import type { MessageParams } from '../../src/locales/translator.ts'
import { setOption } from '../support/app/options.ts'
import { type Answer, anyone, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const ann = await visitor()

type Method = 'get' | 'post' | 'put' | 'delete'
const NONE = 987_654_321
const channel = { name: 'a', key: 'k', models: 'm' }

const option = (key: string, value: unknown): [Method, string, object] => ['put', '/api/option/', { key, value }]

/** Of root. */
const refused: [key: MessageKey, request: [Method, string, object?], params?: MessageParams][] = [
  ['option.unknown', option('NoSuchOption', '1'), { key: 'NoSuchOption' }],
  ['option.not_json', option('ModelRatio', '{'), { label: 'option.ModelRatio' }],
  ['option.not_number', option('RetryTimes', 'many'), { label: 'option.RetryTimes' }],
  ['option.topup_ratio_not_json', option('TopupGroupRatio', 'x')],
  ['option.bad_domain', option('EmailDomainWhitelist', 'no host')],
  ['option.domain_twice', option('EmailDomainWhitelist', 'a.example,a.example')],
  ['option.rebate_range', option('RebatePercentage', '101')],
  ['option.group_ratio_negative', option('GroupRatio', '{"default":-1}'), { name: 'default' }],
  ['option.bad_group_name', option('GroupRatio', '{"a,b":1}')],
  [
    'option.fallback_contradiction',
    ['post', '/api/option/validate_fallback_pricing', { enabled: true, input_ratio: 1 }],
  ],
  ['option.github_incomplete', option('GitHubOAuthEnabled', 'true')],
  ['option.wechat_incomplete', option('WeChatAuthEnabled', 'true')],
  ['option.turnstile_incomplete', option('TurnstileCheckEnabled', 'true')],
  ['log.target_required', ['delete', '/api/log/']],
  ['channel.name_required', ['post', '/api/channel/', { ...channel, name: ' ' }]],
  ['channel.key_required', ['post', '/api/channel/', { ...channel, key: '' }]],
  ['channel.models_required', ['post', '/api/channel/', { ...channel, models: '' }]],
  ['channel.model_too_long', ['post', '/api/channel/', { ...channel, models: 'm'.repeat(256) }]],
  ['channel.group_too_long', ['post', '/api/channel/', { ...channel, group: 'g'.repeat(101) }]],
  ['channel.organization_characters', ['post', '/api/channel/', { ...channel, openai_organization: 'a\r\nb' }]],
  ['channel.region_default', ['post', '/api/channel/', { ...channel, type: 41, key: '{}', other: '{"m":"us"}' }]],
  ['mapping.circle', ['post', '/api/channel/', { ...channel, model_mapping: '{"a":"b","b":"a"}' }]],
  ['channel.select_first', ['post', '/api/channel/batch', { ids: [] }]],
  ['channel.gone', ['post', `/api/channel/copy/${NONE}`]],
  ['channel.gone', ['put', '/api/channel/', { id: NONE, weight: 1 }]],
  ['redemption.key_required', ['post', '/api/user/topup', { key: ' ' }]],
  ['redemption.invalid', ['post', '/api/user/topup', { key: 'no such code' }]],
  ['payment.not_enabled', ['post', '/api/user/pay', { amount: 10, top_up_code: '', payment_method: 'zfb' }]],
]

/** A missing third item would be taken for a callback of the test. */
const requests = refused.map(([key, request, params = {}]) => [key, request, params] as const)

test.each(requests)('a refusal says %s in the language of the caller', async (key, [method, path, body], params) => {
  const sentences = new Set<string>()
  for (const language of languageCodes) {
    const options = { language }
    const answer: Answer =
      method === 'get' || method === 'delete'
        ? await root[method](path, options)
        : await root[method](path, body, options)
    const said = answer.message === 'error' ? answer.data : answer.message
    const { label, ...facts } = params
    const named = label ? { ...facts, key: translate(language, label as MessageKey) } : facts
    expect([language, answer.success, said]).toEqual([language, false, translate(language, key, named)])
    sentences.add(said)
  }
  expect(sentences.size).toBe(languageCodes.length)
})

/** Each says its message in its text. */
const pages: [key: MessageKey, path: string, chats: string][] = [
  ['chat.none', '/chat', '[]'],
  ['chat.link_broken', '/chat/9', '[{"Site":"https://chat.example/"}]'],
]

test.each(pages)('a page says %s in the language of the reader', async (key, path, chats) => {
  await setOption('Chats', chats)
  for (const language of languageCodes) {
    const html = await (await ann.page(path, { language })).text()
    expect([language, html.includes(translate(language, key))]).toEqual([language, true])
  }
})

const toasts: [key: MessageKey, path: string, fields: Record<string, string>][] = [
  ['channel.select_first', '/admin/channels/selected', { action: 'disable' }],
  ['token.select_first', '/app/tokens/selected', { action: 'disable' }],
]

test.each(toasts)('a form without a selection says %s', async (key, path, fields) => {
  for (const language of languageCodes) {
    const response = await root.form(path, fields, { language })
    expect(decodeURIComponent(response.headers.get('set-cookie') ?? '')).toContain(translate(language, key))
  }
})

test('a visitor without a session is told so', async () => {
  for (const language of languageCodes)
    expect((await anyone.get('/api/option/', { language })).message).toBe(translate(language, 'error.not_logged_in'))
})
